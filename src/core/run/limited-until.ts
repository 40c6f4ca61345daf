import { waitsUntil } from '../loop/doing.ts'
import { isAway } from '../loop/outage.ts'
import type { RunState } from './run-state.ts'

/**
 * The moment until which a run waits because its account is at a limit. Errors of the model are no limit of anybody's, and who
 * has ended or was paused waits for none: so whoever has logged in with another account can say so.
 */
export function limitedUntil(state: RunState): number | null {
  if (state.kind === 'loop') return isAway(state) ? null : waitsUntil(state)
  if (state.kind !== 'quest' || state.endedAt !== null || state.isPaused || state.limit.isError) return null
  return state.limit.untilMs
}
