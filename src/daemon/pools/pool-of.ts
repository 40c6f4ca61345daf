import type { PoolRun } from '../../core/pool/state.ts'
import type { Run } from '../runtime/run.ts'

export function poolOf(run: Run): PoolRun {
  const { state } = run.record
  if (state.kind !== 'pool') throw new Error(`run ${run.id} is no pool`)
  return state
}
