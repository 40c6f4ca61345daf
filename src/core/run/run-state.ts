import type { LoopRun } from '../loop/loop-state.ts'
import type { PoolRun } from '../pool/pool-state.ts'
import type { QuestRun } from '../quest/quest-state.ts'
import type { SessionRun } from '../session/session-state.ts'

/** Everything that a run can be. */
export type RunState = SessionRun | LoopRun | PoolRun | QuestRun

/** The session that a run works with now, or worked with last. A pool and a quest have none: their children do. */
export function sessionOf(state: RunState): SessionRun | null {
  if (state.kind === 'session') return state
  return state.kind === 'loop' ? state.session : null
}
