import type { Effect } from '../effect.ts'
import type { Decision } from '../machine.ts'
import { MORE_TASKS_NOTE } from '../notes.ts'
import {
  after,
  block,
  complete as completeParent,
  costLeft,
  end,
  isStopping,
  mergeNext,
  rest,
  stop,
} from '../parent/parent-moves.ts'
import { liveOf, type Message } from '../parent/parent-state.ts'
import { childOf, PLANNER, type PoolRun, type PoolTask, taskOf, withLiveChild, withTask } from './pool-state.ts'
import { startable } from './queue.ts'

/** The moves that only a pool has. They are decided from the state alone: every event leads to the same look at it. */

// A judge that is never content would plan for ever.
const MOST_ROUNDS = 10

/** What is to be done now, after anything has happened. */
export function proceed(state: PoolRun, at: number): Decision<PoolRun> {
  if (isStopping(state)) return stop(state, at)
  if (state.status !== 'active') return { state }
  switch (state.phase) {
    case 'planning':
      return childOf(state, PLANNER).isLive ? { state: rest(state) } : plan(state, at)
    case 'working':
      return work(state, at)
    default:
      return { state }
  }
}

function plan(state: PoolRun, at: number): Decision<PoolRun> {
  if (state.wish === 'reject') return end(state, at, 'cancelled', 'rejected')
  const next: PoolRun = withLiveChild({ ...state, round: state.round + 1, say: null }, PLANNER)
  return { state: next, effects: [runChild(state, PLANNER, null, state.say)] }
}

/** One merge at a time, and workers up to their number, until nothing is left. */
function work(before: PoolRun, at: number): Decision<PoolRun> {
  const merging = mergeNext(before, id => taskOf(before, id)!.commit!)
  return after(merging, now => after(placeWorkers(now), then => settle(then, at)))
}

function placeWorkers(before: PoolRun): Decision<PoolRun> {
  let state = before
  const effects: Effect[] = []
  for (let task = place(state); task; task = place(state)) {
    effects.push(runChild(state, task.id, task.bring ? state.tip : null, task.say))
    const begun = { state: 'active', by: `${state.id}.${task.id}`, say: null, bring: false } as const
    state = withTask({ ...withLiveChild(state, task.id), isRead: false }, task.id, begun)
  }
  return { state, effects }
}

function settle(state: PoolRun, at: number): Decision<PoolRun> {
  if (state.merging !== null || liveOf(state).length > 0) return { state: rest(state) }
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
  return next && childOf(state, next.id).iteration === 0 && next.commit === null
    ? { task: next, base: state.tip! }
    : null
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
  const [message, ...waiting] = state.waiting
  if (message) return planAgain({ ...state, waiting }, at, planFor(message))
  return judge(state, at)
}

/** The whole, when every task of it is merged. */
export function judge(state: PoolRun, at: number): Decision<PoolRun> {
  if (state.loop.judge !== 'model') return complete(state, at)
  const { round, tip, lastWard } = state
  const effect: Effect = { do: 'ask-judge', iteration: round, commit: tip, ward: lastWard?.report ?? null }
  return { state: { ...state, phase: 'judging' }, effects: [effect] }
}

/** What the planner is told when a person says what has to be done next. */
export function planFor({ text }: Message): PoolRun['say'] {
  return { note: MORE_TASKS_NOTE, texts: [text] }
}

/** The planner goes on: the judge, or a person, says what is missing. */
export function planAgain(state: PoolRun, at: number, say: PoolRun['say']): Decision<PoolRun> {
  if (state.round >= MOST_ROUNDS) return end(state, at, 'stalled', 'max-iterations')
  return proceed({ ...state, phase: 'planning', isTold: say?.note === MORE_TASKS_NOTE, say }, at)
}

export function complete(state: PoolRun, at: number): Decision<PoolRun> {
  return completeParent(state, at, state.lastWard?.result === 'green')
}

function runChild(state: PoolRun, child: string, bring: string | null, say: PoolRun['say']): Effect {
  return { do: 'run-child', child, from: state.tip!, bring, say, messages: [], maxCostUsd: costLeft(state) }
}
