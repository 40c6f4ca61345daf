/** Whether a question that is still open here was answered where nobody reports it: in the session's own pane. */

type OpenQuestion = { id: string; agentId: string; askedAt: number }

/**
 * The session showed a prompt and stopped to, at this time. It shows one at a time, its own before a subagent's; of a
 * subagent in the background it shows none. So among several questions of subagents nobody can tell which it was.
 */
export function answeredWhenPromptLeft(open: OpenQuestion[], at: number): string[] {
  const asked = open.filter(({ askedAt }) => askedAt <= at)
  const own = asked.filter(({ agentId }) => agentId === '')
  const answered = own.length > 0 || asked.length > 1 ? own : asked
  return answered.map(({ id }) => id)
}

/** What one look at an open question's session has shown. */
export type Look = {
  ageMs: number
  /** The client has a new child process that runs the very command. */
  runs: boolean
  /** What the client notes about itself; null: it notes nothing, or it would not note a prompt (headless, a subagent). */
  note: 'waiting' | 'other' | null
  /** Null: its screen cannot be seen. */
  screen: 'prompt' | 'none' | null
}
/** What earlier looks have shown: whether the screen ever had the prompt, and since how many looks nothing speaks for it. */
export type Watched = { wasShown: boolean; looksWithout: number }

export const NOT_WATCHED: Watched = { wasShown: false, looksWithout: 0 }

// One look may fall between two pictures of a screen that is being drawn.
const LOOKS_TO_BELIEVE = 2
// The prompt, the client's note of it and our hook come within a second, in any order; on a busy machine within a few.
const SETTLED_MS = 4_000

export function judgeLook(
  before: Watched,
  { ageMs, runs, note, screen }: Look,
): { watched: Watched; answered: boolean } {
  if (runs) return { watched: before, answered: true }
  const wasShown = before.wasShown || screen === 'prompt'
  const isMissed = note !== 'waiting' && screen !== 'prompt' && (note === 'other' || screen === 'none')
  const looksWithout = isMissed ? before.looksWithout + 1 : 0
  // Seen and gone; or never seen, because it was answered before the hook had told us of it.
  const isGone = screen === 'none' && wasShown
  const isLate = note === 'other' && ageMs > SETTLED_MS
  return { watched: { wasShown, looksWithout }, answered: looksWithout >= LOOKS_TO_BELIEVE && (isGone || isLate) }
}
