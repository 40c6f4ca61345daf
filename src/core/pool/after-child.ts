import type { RunEventOf, Stamped } from '../../contract/event.ts'
import type { ChildOutcome } from '../../contract/pool.ts'
import type { Decision } from '../machine.ts'
import { end, isOverBudget, proceed, stopAll } from './moves.ts'
import { MOST_ATTEMPTS } from './queue.ts'
import { noted, type PoolRun, taskOf, withTask } from './state.ts'

/** What follows when a child says something of itself, ends, or cannot be started. */

const AGAIN_NOTE =
  'An earlier worker gave this task back without finishing it. Look first at what is there already (files, git log, progress.md), then do what is left.'

export function childChanged(before: PoolRun, event: Stamped<RunEventOf<'child-changed'>>): Decision<PoolRun> {
  const { child, status, cause, iteration, costUsd, at } = event
  const state = withChild(before, child, { status, cause, iteration, costUsd })
  if (isOverBudget(state) && state.wish === null) return stopAll(state, at, 'cost')
  return proceed(status === 'active' ? woken(state) : state, at)
}

export function childEnded(before: PoolRun, event: Stamped<RunEventOf<'child-ended'>>): Decision<PoolRun> {
  const { child, outcome, at } = event
  const { status, cause, iteration, costUsd } = outcome
  const ended = heardBy(withChild(before, child, { status, cause, iteration, costUsd, isLive: false }), child, outcome)
  // Its limit is what the pool may still cost.
  if (status === 'over-budget' && ended.wish === null)
    return stopAll(givenBack(ended, child, outcome.commit), at, 'cost')
  const state = woken(ended)
  const next = child === 'planner' ? plannerEnded(state, outcome, at) : workerEnded(state, child, outcome, at)
  if (!isOverBudget(next.state) || next.state.wish !== null || next.state.endedAt !== null) return next
  const stopping = stopAll(next.state, at, 'cost')
  return {
    state: stopping.state,
    effects: [...(next.effects ?? []), ...(stopping.effects ?? [])],
    forget: [...(next.forget ?? []), ...(stopping.forget ?? [])],
  }
}

/** What the planner knows needs not be said to it again. */
function heardBy(state: PoolRun, child: string, { heard }: ChildOutcome): PoolRun {
  if (child !== 'planner' || heard.length === 0) return state
  const waiting = [...state.waiting]
  // The same may have been said twice, and heard once.
  for (const text of heard) if (waiting.includes(text)) waiting.splice(waiting.indexOf(text), 1)
  return { ...state, waiting }
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
  if (state.wish !== null && state.wish !== 'reject')
    return proceed(withTask(state, id, { state: 'pending', commit, say: AGAIN }), at)
  // Somebody ended this one worker, and that is about its task.
  if (status === 'cancelled') return proceed(withTask(state, id, { state: 'dropped', commit }), at)
  return proceed(givenBack(state, id, commit), at)
}

const AGAIN = { note: AGAIN_NOTE, text: null }

/** A worker that died gives its task back: the rest go on, and somebody else may try, three times at most. */
export function givenBack(state: PoolRun, id: string, commit: string | null): PoolRun {
  const attempts = (taskOf(state, id)?.attempts ?? 0) + 1
  const isOver = attempts >= MOST_ATTEMPTS
  return withTask(state, id, { state: isOver ? 'failed' : 'pending', attempts, commit, say: isOver ? null : AGAIN })
}

/** A failed spawn is one failed worker. Without its planner there is no pool. */
export function childNotStarted(before: PoolRun, event: Stamped<RunEventOf<'child-not-started'>>): Decision<PoolRun> {
  const { child, cause, why, at } = event
  const state = noted(withChild(before, child, { isLive: false, status: 'failed', cause }), [why])
  if (state.wish !== null) return proceed(state, at)
  if (child === 'planner') return end(state, at, 'failed', cause)
  return proceed(givenBack(state, child, taskOf(state, child)?.commit ?? null), at)
}

function withChild(state: PoolRun, child: string, change: Partial<PoolRun['planner']>): PoolRun {
  if (child === 'planner') return { ...state, planner: { ...state.planner, ...change } }
  return withTask(state, child, change)
}

/** It waited for a child, and that has gone on or ended. */
function woken(state: PoolRun): PoolRun {
  const isTheirs = state.cause !== 'paused-by-user' && state.cause !== 'ward-could-not-run'
  const isAsleep = state.status === 'blocked' || state.status === 'paused'
  return isAsleep && isTheirs ? { ...state, status: 'active', cause: null } : state
}
