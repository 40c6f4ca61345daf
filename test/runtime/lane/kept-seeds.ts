import type { Variant } from './lane.ts'

/** Seeds that once found something. They are played again by every `npm test`, for ever. */
export const KEPT_SEEDS: Record<Variant, number[]> = {
  // 5: killed between "the session has ended" and the end of what it had left running, which then ran on for ever.
  kill: [5],
  // 113, 137: a transcript that was there and held nothing: resumed without ever being told its task.
  'power-cut': [113],
}
