import type { LoopOutside } from '../loops/loop-outside.ts'
import type { Runs } from '../runtime/runs.ts'

/** What the effects of pools and quests use of the daemon. */
export type ParentOutside = LoopOutside & { runs: Runs }
