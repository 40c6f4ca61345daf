import type { RunSummary } from '../contract/run.ts'
import type { RunState } from './loop/state.ts'
import { loopDetail, loopSummary } from './loop/view.ts'
import { detailOf, summaryOf } from './session/view.ts'

/** A run of any kind as scripts and faces see it. `iso` comes from outside: core has no dates. */
export function runSummary(state: RunState, iso: (ms: number) => string): RunSummary {
  return state.kind === 'loop' ? loopSummary(state, iso) : summaryOf(state, iso)
}

export function runDetail(state: RunState, iso: (ms: number) => string) {
  return state.kind === 'loop' ? loopDetail(state, iso) : detailOf(state, iso)
}
