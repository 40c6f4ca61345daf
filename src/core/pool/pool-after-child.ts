import type { RunEventOf, Stamped } from '../../contract/event.ts'
import type { ChildOutcome } from '../../contract/pool.ts'
import { ENDED } from '../../contract/run.ts'
import type { Decision } from '../machine.ts'
import { GIVEN_BACK_NOTE } from '../notes.ts'
import { end, isOverBudget, isStopping, keepBudget, stopAll, wake } from '../parent/parent-moves.ts'
import { withChild, withNotes } from '../parent/parent-state.ts'
import { proceed } from './pool-moves.ts'
import { PLANNER, type PoolRun, taskOf, withTask } from './pool-state.ts'
import { MOST_ATTEMPTS } from './queue.ts'

/** What follows when a child says something of itself, ends, or cannot be started. */

export function childChanged(before: PoolRun, event: Stamped<RunEventOf<'child-changed'>>): Decision<PoolRun> {
  const { child, status, cause, iteration, costUsd, at } = event
  const state = withChild(before, child, { status, cause, iteration, costUsd })
  // What a child that has ended leaves is taken in first.
  if (isOverBudget(state) && state.wish === null && !ENDED.has(status)) return stopAll(state, at, 'cost')
  return proceed(status === 'active' ? wake(state) : state, at)
}

export function childEnded(before: PoolRun, event: Stamped<RunEventOf<'child-ended'>>): Decision<PoolRun> {
  const { child, outcome, at } = event
  const { status, cause, iteration, costUsd, heard } = outcome
  // The planner has heard these messages already.
  const waiting = before.waiting.filter(({ of }) => child !== PLANNER || !heard.includes(of))
  const ended = withChild({ ...before, waiting }, child, { status, cause, iteration, costUsd, isLive: false })
  // Its limit is what the pool may still cost.
  if (status === 'over-budget' && ended.wish === null)
    return stopAll(givenBack(ended, child, outcome.commit), at, 'cost')
  const state = wake(ended)
  return keepBudget(child === PLANNER ? plannerEnded(state, outcome, at) : workerEnded(state, child, outcome, at), at)
}

function plannerEnded(state: PoolRun, { status, cause }: ChildOutcome, at: number): Decision<PoolRun> {
  if (state.wish === 'reject') return end(state, at, 'cancelled', 'rejected')
  if (state.wish !== null) return proceed(state, at)
  if (status === 'complete') return { state: { ...state, phase: 'reading' }, effects: [{ do: 'read-tasks' }] }
  return end(state, at, status, cause ?? 'client-error')
}

function workerEnded(state: PoolRun, id: string, outcome: ChildOutcome, at: number): Decision<PoolRun> {
  const { status, commit } = outcome
  if (status === 'complete' && commit !== null) {
    return proceed({ ...withTask(state, id, { state: 'merging', commit }), queue: [...state.queue, id] }, at)
  }
  if (isStopping(state)) return proceed(withTask(state, id, { state: 'pending', commit, say: AGAIN }), at)
  // Somebody ended this one worker, and that is about its task.
  if (status === 'cancelled') return proceed(withTask(state, id, { state: 'dropped', commit }), at)
  return proceed(givenBack(state, id, commit), at)
}

const AGAIN = { note: GIVEN_BACK_NOTE, texts: [] }

/** A worker that died gives its task back: the rest go on, and somebody else may try, three times at most. */
export function givenBack(state: PoolRun, id: string, commit: string | null): PoolRun {
  const attempts = (taskOf(state, id)?.attempts ?? 0) + 1
  const isOver = attempts >= MOST_ATTEMPTS
  return withTask(state, id, { state: isOver ? 'failed' : 'pending', attempts, commit, say: isOver ? null : AGAIN })
}

/** A failed spawn is one failed worker. Without its planner there is no pool. */
export function childNotStarted(before: PoolRun, event: Stamped<RunEventOf<'child-not-started'>>): Decision<PoolRun> {
  const { child, cause, why, at } = event
  const state = withNotes(withChild(before, child, { isLive: false, status: 'failed', cause }), [why])
  if (state.wish !== null) return proceed(state, at)
  if (child === PLANNER) return end(state, at, 'failed', cause)
  return proceed(givenBack(state, child, taskOf(state, child)?.commit ?? null), at)
}
