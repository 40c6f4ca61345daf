/** One look at a pane of ours, until the first hook of its turn was heard. */
export type PaneLook = {
  at: number
  /** When its turn began, or when we began to look at it. */
  startedAt: number
  /** A hook of this turn was heard. */
  isHooked: boolean
  /** The client's own note or its transcript shows that it got past its first screens. */
  works: boolean
  /** What its screen shows; of a dialog only what stays the same while somebody moves through its choices. */
  screen: { is: 'blank' } | { is: 'dialog'; words: string } | { is: 'other' }
}

/** `dialog`: it waits for its user where no hook can say so. `hooks`: it works, and no hook will ever say so. */
export type UnheardAs = 'dialog' | 'hooks'
type Unheard = { name: string; since: number; asks: UnheardAs | null }

export const NEVER_LOOKED: Unheard = { name: '', since: 0, asks: null }

// A start takes a second. Shorter: a busy machine asks a person about a session that is only slow. Longer: they wait for
// a session that waits for them.
const PATIENCE_MS = 10_000
// A dialog waits for its user, however slow the machine is. Whoever sits there has this long to answer it; and it is asked
// about within ten seconds of the start, of which looking and asking take some.
const DIALOG_PATIENCE_MS = 2_000
const DIALOG_BY_MS = 8_000
// Nothing is drawn yet: a client that loads slowly looks the same, and nobody could answer anything there.
const BLANK_PATIENCE_MS = 30_000

/** What to ask after this look. Whatever is new has its own patience: another dialog is another question. */
export function judgeUnheard(before: Unheard, look: PaneLook): Unheard {
  if (look.isHooked) return { name: 'heard', since: look.at, asks: null }
  const name = nameOf(look)
  if (before.name !== name) return { name, since: look.at, asks: null }
  if (look.at < patienceEnds(before.since, look)) return before
  return { ...before, asks: look.works ? 'hooks' : 'dialog' }
}

function patienceEnds(since: number, { works, screen, startedAt }: PaneLook): number {
  if (works || screen.is === 'other') return since + PATIENCE_MS
  if (screen.is === 'blank') return since + BLANK_PATIENCE_MS
  return Math.max(since + DIALOG_PATIENCE_MS, startedAt + DIALOG_BY_MS)
}

function nameOf({ works, screen }: PaneLook): string {
  if (works) return 'works'
  return screen.is === 'dialog' ? `dialog ${screen.words}` : screen.is
}
