import type { Variant } from '../../runtime/lane/lane.ts'

/** Seeds that once found something. They are played again by every `npm test`, for ever. */
export const KEPT_LOOP_SEEDS: Record<Variant, number[]> = { kill: [], 'power-cut': [] }
