/** One end of an iteration as it really looks, and what a careful person would say of it. */
export type JudgeCase = {
  name: string
  lastMessage: string
  /** progress.md before and after the iteration: what it gained is evidence, what it had is not. */
  progressBefore: string
  progressAfter: string
  anchor: string
  /** `complete` is a claim of the whole task without reserve; `blocked` waits for a person; in doubt it is `continue`. */
  label: 'complete' | 'stalled' | 'blocked' | 'continue'
}
