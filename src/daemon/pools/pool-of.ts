import type { PoolRun } from '../../core/pool/pool-state.ts'
import type { Run } from '../runtime/live-run.ts'

export function poolOf(run: Run): PoolRun {
  const { state } = run.record
  if (state.kind !== 'pool') throw new Error(`run ${run.id} is no pool`)
  return state
}
