import type { ParentState } from '../../core/parent/parent-state.ts'
import type { LoopOutside } from '../loops/loop-outside.ts'
import type { Run } from '../runtime/live-run.ts'
import type { Runs } from '../runtime/runs.ts'

/** What the effects of pools and quests use of the daemon. */
export type ParentOutside = LoopOutside & { runs: Runs }

export function parentOf(run: Run): ParentState & { kind: 'pool' | 'quest' } {
  const { state } = run.record
  if (state.kind !== 'pool' && state.kind !== 'quest') throw new Error(`run ${run.id} is neither a pool nor a quest`)
  return state
}
