import type { Variant } from '../../runtime/lane/lane.ts'

/** Seeds that once found something. They are played again by every `npm test`, for ever. */
export const KEPT_LOOP_SEEDS: Record<Variant, number[]> = {
  // 3: a daemon died between the stop and the close of an iteration in a pane, and its last words were never read.
  kill: [3],
  'power-cut': [],
}
