import type { RunStatus } from '../contract/run.ts'
import type { Effect } from './effect.ts'
import type { Decision } from './machine.ts'

/** How long a run may still take: until then, or, while somebody is asked and its clock stands still, so much more. */
export type TimeLimit = { endsAtMs: number } | { leftMs: number }

type Limited = { status: RunStatus; timeLimit: TimeLimit | null }

export function limitFrom(maxTimeMs: number | null, at: number): TimeLimit | null {
  return maxTimeMs === null ? null : { endsAtMs: at + maxTimeMs }
}

export function limitTimer({ timeLimit }: Pick<Limited, 'timeLimit'>): Effect[] {
  if (!timeLimit || !('endsAtMs' in timeLimit)) return []
  return [{ do: 'set-timer', name: 'max-time', atMs: timeLimit.endsAtMs }]
}

export function limitStopped(limit: TimeLimit | null, at: number): TimeLimit | null {
  return limit && 'endsAtMs' in limit ? { leftMs: Math.max(0, limit.endsAtMs - at) } : limit
}

export function limitStarted(limit: TimeLimit | null, at: number): TimeLimit | null {
  return limit && 'leftMs' in limit ? { endsAtMs: at + limit.leftMs } : limit
}

/** Somebody is asked: nobody can say how long that takes. */
export function clockStopped<S extends Limited>(state: S, at: number): Decision<S> {
  const timeLimit = limitStopped(state.timeLimit, at)
  if (state.status !== 'active' || timeLimit === state.timeLimit) return { state }
  return { state: { ...state, timeLimit }, forget: ['max-time'] }
}

/** Nobody is asked any more: it goes on with what was left. */
export function clockStarted<S extends Limited>(state: S, at: number): Decision<S> {
  const timeLimit = limitStarted(state.timeLimit, at)
  if (state.status !== 'active' || timeLimit === state.timeLimit) return { state }
  const next = { ...state, timeLimit }
  return { state: next, effects: limitTimer(next) }
}
