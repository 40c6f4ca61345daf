import type { PoolRun } from '../../core/pool/state.ts'
import type { LoopOutside } from '../loops/loop-outside.ts'
import type { Run } from '../runtime/run.ts'
import type { Runs } from '../runtime/runs.ts'

/** What the deeds of pools use of the house. */
export type PoolOutside = LoopOutside & {
  runs: Runs
}

export function poolOf(run: Run): PoolRun {
  const { state } = run.record
  if (state.kind !== 'pool') throw new Error(`run ${run.id} is no pool`)
  return state
}
