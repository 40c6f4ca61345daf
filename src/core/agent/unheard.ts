/** One look at a pane of ours, until the first hook of its turn was heard. */
export type PaneLook = {
  at: number
  /** A hook of this turn was heard. */
  isHooked: boolean
  /** The client's own note or its transcript shows that it got past its first screens. */
  works: boolean
  /** What its screen shows; of a dialog only what stays the same while somebody moves through its choices. */
  screen: { is: 'blank' } | { is: 'dialog'; words: string } | { is: 'other' }
}

/** `dialog`: it waits for its user where no hook can say so. `hooks`: it works, and no hook will ever say so. */
export type UnheardAs = 'dialog' | 'hooks'
export type Unheard = { name: string; since: number; asks: UnheardAs | null }

export const NEVER_LOOKED: Unheard = { name: '', since: 0, asks: null }

// A start takes a second. Shorter: a busy machine asks a person about a session that is only slow. Longer: they wait for
// a session that waits for them.
const PATIENCE_MS = 10_000
// Nothing is drawn yet: a client that loads slowly looks the same, and nobody could answer anything there.
const BLANK_PATIENCE_MS = 30_000

/** What to ask after this look. Whatever is new has its own patience: another dialog is another question. */
export function judgeUnheard(before: Unheard, look: PaneLook): Unheard {
  if (look.isHooked) return { name: 'heard', since: look.at, asks: null }
  const name = nameOf(look)
  if (before.name !== name) return { name, since: look.at, asks: null }
  const patience = name === 'blank' ? BLANK_PATIENCE_MS : PATIENCE_MS
  if (look.at - before.since < patience) return before
  return { ...before, asks: look.works ? 'hooks' : 'dialog' }
}

function nameOf({ works, screen }: PaneLook): string {
  if (works) return 'works'
  return screen.is === 'dialog' ? `dialog ${screen.words}` : screen.is
}
