import type { Variant } from '../../runtime/lane/lane.ts'

/** Seeds that once found something. They are played again by every `npm test`, for ever. */
export const KEPT_LOOP_SEEDS: Record<Variant, number[]> = {
  // 39: told with a resume to a session that was cut off before it heard it; the fresh session was never told.
  kill: [39],
  'power-cut': [],
}
