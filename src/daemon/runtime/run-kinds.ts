import type { LoopRun } from '../../core/loop/loop-state.ts'
import type { PoolRun } from '../../core/pool/pool-state.ts'
import type { Run } from './live-run.ts'

export function loopOf(run: Pick<Run, 'id' | 'record'>): LoopRun {
  const { state } = run.record
  if (state.kind !== 'loop') throw new Error(`run ${run.id} is not a loop`)
  return state
}

/** What a loop and a pool share: anchor, checks, judge, and what they began with. */
export function drivenOf(run: Run): LoopRun | PoolRun {
  const { state } = run.record
  if (state.kind !== 'loop' && state.kind !== 'pool') throw new Error(`run ${run.id} is neither a loop nor a pool`)
  return state
}
