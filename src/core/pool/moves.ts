import { TimerName } from '../../contract/event.ts'
import type { Cause, RunStatus } from '../../contract/run.ts'
import type { Effect } from '../effect.ts'
import type { Decision, Forgotten } from '../machine.ts'
import { startable } from './queue.ts'
import { liveOf, type PoolRun, type PoolTask, poolCost, taskOf, withTask } from './state.ts'

/** The moves of a pool. They are decided from the state alone, so that whatever happens is followed by the same look. */

// A judge that is never content would plan for ever.
const MOST_ROUNDS = 10

export const TOLD_NOTE = 'A person says what has to be done next. Write tasks for it, with new ids.'

const BEGUN: Forgotten[] = ['open-pool', 'run-ward', 'ask-judge', 'read-tasks']

/** What is to be done now, after anything has happened. */
export function proceed(state: PoolRun, at: number): Decision<PoolRun> {
  if (state.wish !== null && state.wish !== 'reject') return stopped(state, at)
  if (state.status !== 'active') return { state }
  switch (state.phase) {
    case 'planning':
      return state.planner.isLive ? { state: waitingForChildren(state) } : plan(state, at)
    case 'working':
      return work(state, at)
    default:
      return { state }
  }
}

function plan(state: PoolRun, at: number): Decision<PoolRun> {
  if (state.wish === 'reject') return end(state, at, 'cancelled', 'rejected')
  const { say } = state.planner
  const next: PoolRun = {
    ...state,
    round: state.round + 1,
    planner: { ...state.planner, isLive: true, status: 'active', cause: null, say: null },
  }
  return { state: next, effects: [runChild(state, 'planner', null, say)] }
}

/** One merge at a time, and workers up to their number, until nothing is left. */
function work(before: PoolRun, at: number): Decision<PoolRun> {
  let state = before
  const effects: Effect[] = []
  // In this order: effects are named by it, and those of older journals are found by their names.
  const next = state.merging === null ? state.queue[0] : undefined
  if (next !== undefined) {
    const commit = taskOf(state, next)!.commit!
    state = { ...state, merging: next, merges: state.merges + 1 }
    const { tip, baseRed, merges } = state
    effects.push({ do: 'merge-task', task: next, commit, tip: tip!, accepted: baseRed ?? [], merge: merges })
  }
  for (let task = place(state); task; task = place(state)) {
    effects.push(runChild(state, task.id, task, task.say))
    state = withTask({ ...state, isRead: false }, task.id, {
      state: 'active',
      isLive: true,
      status: 'active',
      cause: null,
      by: `${state.id}.${task.id}`,
      say: null,
      bring: false,
    })
  }
  if (state.merging !== null || liveOf(state).length > 0) return { state: waitingForChildren(state), effects }
  return finish(state, at)
}

/** A task that a worker is free for. */
function place(state: PoolRun): PoolTask | null {
  if (state.wish === 'reject') return null
  return liveOf(state).length < state.pool.maxWorkers ? startable(state) : null
}

/**
 * The task that the next free worker begins, and with what, while all are busy. Not while something is being merged: what is
 * begun with now would be old when it comes.
 */
export function upNext(state: PoolRun): { task: PoolTask; base: string } | null {
  if (state.status !== 'active' || state.phase !== 'working' || state.wish !== null || state.merging !== null)
    return null
  if (liveOf(state).length < state.pool.maxWorkers) return null
  const next = startable(state)
  return next && next.iteration === 0 && next.commit === null ? { task: next, base: state.tip! } : null
}

/** No worker works and nothing is to be merged. */
function finish(state: PoolRun, at: number): Decision<PoolRun> {
  if (state.wish === 'reject') return end(state, at, 'cancelled', 'rejected')
  const has = (of: PoolTask['state']) => state.tasks.some(task => task.state === of)
  if (has('stuck')) return block(state, 'conflict')
  if (has('claimed')) return block(state, 'waits-for-person')
  // Somebody may have written more tasks meanwhile.
  if (!state.isRead) return { state: { ...state, phase: 'rereading' }, effects: [{ do: 'read-tasks' }] }
  if (has('failed') || has('pending')) return end(state, at, 'stalled', 'tasks-left')
  const [text, ...waiting] = state.waiting
  if (text !== undefined) return planAgain({ ...state, waiting }, at, { note: TOLD_NOTE, text })
  return judge(state, at)
}

/** The whole, when every task of it is merged. */
export function judge(state: PoolRun, at: number): Decision<PoolRun> {
  if (state.loop.judge !== 'model') return complete(state, at)
  const { round, tip, lastWard } = state
  const effect: Effect = { do: 'ask-judge', iteration: round, commit: tip, ward: lastWard?.report ?? null }
  return { state: { ...state, phase: 'judging' }, effects: [effect] }
}

/** The planner goes on: the judge, or a person, says what is missing. */
export function planAgain(state: PoolRun, at: number, say: PoolRun['planner']['say']): Decision<PoolRun> {
  if (state.round >= MOST_ROUNDS) return end(state, at, 'stalled', 'max-iterations')
  const isTold = say?.note === TOLD_NOTE
  return proceed({ ...state, phase: 'planning', isTold, planner: { ...state.planner, say } }, at)
}

export function complete(state: PoolRun, at: number): Decision<PoolRun> {
  const { lastWard, loop, isTampered } = state
  const isGreen = lastWard?.result === 'green'
  // What was accepted and is not green can only be what was red before.
  if (loop.ward !== null && !isGreen) return end({ ...state, proven: false }, at, 'complete', 'base-still-red')
  return end({ ...state, proven: isGreen && !isTampered }, at, 'complete', 'merged')
}

/** A child that ends with its pool is told so; the pool ends when all have. */
export function stopAll(state: PoolRun, at: number, wish: NonNullable<PoolRun['wish']>): Decision<PoolRun> {
  const next = { ...state, wish: state.wish === 'cancel' ? state.wish : wish }
  const stopping = stopped(next, at)
  return { ...stopping, effects: [...tell(next, 'cancel'), ...(stopping.effects ?? [])] }
}

function stopped(state: PoolRun, at: number): Decision<PoolRun> {
  // A merge is short, and half of one would be in the way of the next.
  if (state.merging !== null || liveOf(state).length > 0) return { state }
  if (state.wish === 'cost') return end(state, at, 'over-budget', 'max-cost')
  if (state.wish === 'time') return end(state, at, 'over-budget', 'max-time')
  return end(state, at, 'cancelled', 'cancelled')
}

export function tell(state: PoolRun, what: 'cancel' | 'pause' | 'resume'): Effect[] {
  const children = liveOf(state).map(({ name }) => name)
  return children.length ? [{ do: 'tell-children', what, children }] : []
}

export function end(state: PoolRun, at: number, status: RunStatus, cause: Cause): Decision<PoolRun> {
  const ended: PoolRun = { ...state, status, cause, endedAt: at, phase: 'ended', wish: null }
  return { state: ended, forget: [...TimerName.options, ...BEGUN] }
}

export function pause(state: PoolRun, cause: Cause): Decision<PoolRun> {
  return { state: { ...state, status: 'paused', cause }, forget: TimerName.options }
}

/** Waits for a person. With no questions wanted it is paused instead: whoever looks finds out why. */
export function block(state: PoolRun, cause: Cause): Decision<PoolRun> {
  const status = state.spec.noQuestions ? 'paused' : 'blocked'
  return { state: { ...state, status, cause, blocks: state.blocks + 1 }, forget: TimerName.options }
}

/** When every child waits for a person, so does the pool: its question is theirs. */
export function waitingForChildren(state: PoolRun): PoolRun {
  const live = liveOf(state)
  const rests = live.filter(({ child }) => child.status === 'blocked' || child.status === 'paused')
  if (live.length === 0 || rests.length < live.length || state.merging !== null) return state
  const { status, cause } = (rests.find(({ child }) => child.status === 'blocked') ?? rests[0]!).child
  return { ...state, status, cause }
}

function runChild(state: PoolRun, child: string, task: PoolTask | null, say: PoolTask['say']): Effect {
  const from = state.tip!
  const bring = task?.bring ? from : null
  const named = task && { id: task.id, text: task.text }
  return { do: 'run-child', child, task: named, from, bring, say, maxCostUsd: costLeft(state) }
}

/** What it may still cost; null: there is no limit. Never nothing, because the client takes that for no limit either. */
export function costLeft(state: PoolRun): number | null {
  const { maxCostUsd } = state.spec
  return maxCostUsd === null ? null : Math.max(0.000001, maxCostUsd - (poolCost(state) - state.paidBeforeUsd))
}

export function isOverBudget(state: PoolRun): boolean {
  const { maxCostUsd } = state.spec
  return maxCostUsd !== null && poolCost(state) - state.paidBeforeUsd >= maxCostUsd
}
