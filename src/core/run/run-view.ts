import type { RunSummary } from '../../contract/run.ts'
import { loopDetail, loopSummary } from '../loop/loop-view.ts'
import { poolDetail, poolSummary } from '../pool/pool-view.ts'
import { questDetail, questSummary } from '../quest/quest-view.ts'
import { detailOf, summaryOf } from '../session/session-view.ts'
import type { RunState } from './run-state.ts'

/** A run of any kind as scripts and faces see it. `iso` comes from outside: core has no dates. */
export function runSummary(state: RunState, iso: (ms: number) => string): RunSummary {
  switch (state.kind) {
    case 'session':
      return summaryOf(state, iso)
    case 'loop':
      return loopSummary(state, iso)
    case 'pool':
      return poolSummary(state, iso)
    case 'quest':
      return questSummary(state, iso)
  }
}

export function runDetail(state: RunState, iso: (ms: number) => string) {
  switch (state.kind) {
    case 'session':
      return detailOf(state, iso)
    case 'loop':
      return loopDetail(state, iso)
    case 'pool':
      return poolDetail(state, iso)
    case 'quest':
      return questDetail(state, iso)
  }
}
