import type { RunCreatedOf, RunEventOf, Stamped } from '../../contract/event.ts'
import type { Judgement } from '../../contract/loop.ts'
import { ENDED } from '../../contract/run.ts'
import { beginning, type Decision, type Machine } from '../machine.ts'
import { WAITING_KEPT } from '../session/state.ts'
import { clockStarted, clockStopped, limitFrom, limitStarted, limitStopped, limitTimer } from '../time-limit.ts'
import { childChanged, childEnded, childNotStarted } from './after-child.ts'
import { answered, taskMerged } from './after-merge.ts'
import {
  block,
  complete,
  end,
  isOverBudget,
  judge,
  pause,
  planAgain,
  proceed,
  stopAll,
  TOLD_NOTE,
  tell,
} from './moves.ts'
import { claimed, finished, released, withNewTasks } from './queue.ts'
import { liveOf, NO_CHILD, noted, type PoolRun, poolCost } from './state.ts'

/** A pool: open, ward the base, plan, work and merge until no task is left, judge the whole, and plan again or end. */
export const poolMachine: Machine<PoolRun> = { create, decide: inTime }

// Whoever did not hear an answer asks again within the minute.
const JOINED_KEPT = 20

const JUDGED_NOTE =
  'Every task of your plan is done and merged, and a judge has looked at the whole. It says that something is missing. Look at what it says below, and write tasks for what is left, with new ids.'

function create(event: Stamped<RunCreatedOf<'pool'>>): Decision<PoolRun> {
  const { loop, pool } = event
  const state: PoolRun = {
    kind: 'pool',
    ...beginning(event),
    timeLimit: limitFrom(event.spec.maxTimeMs, event.at),
    loop,
    pool,
    phase: 'opening',
    round: 0,
    planner: { ...NO_CHILD, say: null },
    tasks: [],
    queue: [],
    merging: null,
    tip: null,
    merges: 0,
    isTampered: false,
    isRead: false,
    errors: [],
    isTold: false,
    joined: [],
    criteria: Array.from({ length: loop.criteria }, () => 'UNKNOWN' as const),
    judgesUsd: 0,
    blocks: 0,
  }
  return { state, effects: [{ do: 'open-pool' }, ...limitTimer(state)] }
}

/** Its time stands still while it rests or waits for a person, and goes on with what was left. */
function inTime(before: PoolRun, event: Stamped): Decision<PoolRun> {
  const decision = decide(before, event)
  const { state, effects = [], forget = [] } = decision
  const isActive = state.status === 'active'
  if (!isActive) {
    const timeLimit = ENDED.has(state.status) ? null : limitStopped(state.timeLimit, event.at)
    // Resumed, and all its children still wait for somebody.
    const deeds = effects.filter(effect => effect.do !== 'set-timer')
    return { state: { ...state, timeLimit }, effects: deeds, forget: [...forget, 'max-time'] }
  }
  if (before.status === 'active' || event.type === 'resume-requested') return decision
  const next = { ...state, timeLimit: limitStarted(state.timeLimit, event.at) }
  return { state: next, effects: [...effects, ...limitTimer(next)], forget }
}

function decide(state: PoolRun, event: Stamped): Decision<PoolRun> {
  switch (event.type) {
    case 'pool-opened':
      return opened(state, event)
    case 'pool-not-opened':
      return state.phase === 'opening' ? pause(state, event.cause) : { state }
    case 'warded':
      return warded(state, event)
    case 'child-changed':
      return childChanged(state, event)
    case 'child-not-started':
      return childNotStarted(state, event)
    case 'child-ended':
      return childEnded(state, event)
    case 'tasks-read':
      return tasksRead(state, event)
    case 'tasks-added':
      return proceed(noted(withNewTasks(state, event.added), event.notes ?? []), event.at)
    case 'task-claimed':
      return { state: claimed(state, event.task, event.by) }
    case 'task-released':
      return proceed(woken(released(state, event.task)), event.at)
    case 'task-done':
      return proceed(woken(finished(state, event.task, event.by)), event.at)
    case 'task-merged':
      return taskMerged(state, event)
    case 'judged':
      return state.phase === 'judging' ? judged(state, event.judgement, event.at) : { state }
    case 'answered':
      return answered(state, event)
    case 'told':
      return told(state, event)
    case 'cancel-requested':
      return ENDED.has(state.status) ? { state } : stopAll(state, event.at, 'cancel')
    case 'reject-requested':
      return ENDED.has(state.status) ? { state } : rejected(state, event.at)
    case 'pause-requested':
      return paused(state)
    case 'resume-requested':
      return resumed(state, event)
    case 'project-not-found':
      // Also of one that somebody has paused meanwhile: resumed, it must begin anew what came to nothing.
      return ENDED.has(state.status) ? { state } : pause(state, 'project-missing')
    case 'timer-fired':
      return event.timer === 'max-time' && !ENDED.has(state.status) ? stopAll(state, event.at, 'time') : { state }
    case 'clock-stopped':
      return clockStopped(state, event.at)
    case 'clock-started':
      return clockStarted(state, event.at)
    case 'journal-repaired':
      return { state: { ...state, repairs: state.repairs + 1 } }
    default:
      return { state }
  }
}

function opened(state: PoolRun, { base, notes, at }: Stamped<RunEventOf<'pool-opened'>>): Decision<PoolRun> {
  if (state.phase !== 'opening') return { state }
  const next = noted({ ...state, base, tip: base.commit, phase: 'basing' }, notes)
  return begin(next, at)
}

/** The checks on what was there before, and then the plan. */
function begin(state: PoolRun, at: number): Decision<PoolRun> {
  if (state.loop.ward === null || !state.pool.autoSpawn) return proceed({ ...state, phase: 'planning' }, at)
  const { commit, tree } = state.base!
  return { state, effects: [{ do: 'run-ward', iteration: 0, commit, tree }] }
}

function warded(state: PoolRun, { outcome, iteration, at }: Stamped<RunEventOf<'warded'>>): Decision<PoolRun> {
  if (state.phase !== 'basing') return { state }
  // What cannot be run on the base may run later, when a worker has made it.
  const baseRed = outcome.result === 'could-not-run' ? [] : outcome.failing
  return proceed({ ...state, baseRed, lastWard: { ...outcome, iteration }, phase: 'planning' }, at)
}

function tasksRead(before: PoolRun, { added, notes, at }: Stamped<RunEventOf<'tasks-read'>>): Decision<PoolRun> {
  const state = noted({ ...withNewTasks(before, added), isRead: true }, notes)
  if (state.phase === 'rereading') return proceed({ ...state, phase: 'working' }, at)
  if (state.phase !== 'reading') return { state }
  const isEmpty = !state.tasks.some(task => task.state === 'pending')
  // What somebody said needs no task of its own: it may have been for those who worked.
  const isForOthers = state.isTold && state.tasks.length > 0
  if (isEmpty && !isForOthers) return end(state, at, 'stalled', 'empty-plan')
  if (!isEmpty && !state.pool.autoSpawn) return end(state, at, 'complete', 'planned')
  return proceed({ ...state, phase: 'working' }, at)
}

/** What a person did may be what it waited for. */
function woken(state: PoolRun): PoolRun {
  const isAsleep = state.status === 'blocked' && state.cause === 'waits-for-person' && state.phase === 'working'
  return isAsleep ? { ...state, status: 'active', cause: null } : state
}

function judged(before: PoolRun, judgement: Judgement, at: number): Decision<PoolRun> {
  const { verdict, criteria, report, costUsd, failed } = judgement
  const state: PoolRun = noted(
    {
      ...before,
      phase: 'working',
      judgesUsd: before.judgesUsd + costUsd,
      criteria: before.criteria.map((mark, n) => criteria[n] ?? mark),
    },
    failed && report ? [report] : [],
  )
  if (isOverBudget(state)) return stopAll(state, at, 'cost')
  // A judge that failed says nothing against what is merged and green.
  if (failed || (verdict === 'complete' && !criteria.includes('FAIL'))) return complete(state, at)
  if (verdict === 'stalled') return end(state, at, 'stalled', 'judged-stalled')
  if (verdict === 'blocked') return block(state, 'waits-for-person')
  return planAgain(state, at, { note: JUDGED_NOTE, text: report })
}

/** Whoever works hears it with the next prompt; it waits for the planner too, who may have to plan for it. */
function told(before: PoolRun, { text, seq }: Stamped<RunEventOf<'told'>>): Decision<PoolRun> {
  const state: PoolRun = { ...before, waiting: [...before.waiting, text].slice(-WAITING_KEPT) }
  const children = liveOf(state).map(({ name }) => name)
  return { state, effects: children.length ? [{ do: 'pass-on', text, of: seq, children }] : [] }
}

/** No worker starts any more; those that work come to their end. */
function rejected(state: PoolRun, at: number): Decision<PoolRun> {
  const next: PoolRun = { ...state, wish: state.wish ?? 'reject' }
  if (state.planner.isLive)
    return { state: next, effects: [{ do: 'tell-children', what: 'reject', children: ['planner'] }] }
  if (liveOf(state).length === 0 && state.merging === null) return end(next, at, 'cancelled', 'rejected')
  return proceed(next, at)
}

function paused(state: PoolRun): Decision<PoolRun> {
  if (ENDED.has(state.status) || state.status === 'paused' || state.wish !== null) return { state }
  const next = pause(state, 'paused-by-user')
  return { ...next, effects: tell(state, 'pause') }
}

function resumed(before: PoolRun, event: Stamped<RunEventOf<'resume-requested'>>): Decision<PoolRun> {
  const more = event.workers ?? 0
  const { joined } = before
  if (event.request !== undefined && joined.includes(event.request)) return { state: before }
  const pool = more > 0 ? { ...before.pool, ...widened(before, more) } : before.pool
  const heard = event.request === undefined ? {} : { joined: [...joined, event.request].slice(-JOINED_KEPT) }
  if (before.status === 'active') return more > 0 ? proceed({ ...before, ...heard, pool }, event.at) : { state: before }
  const hasEnded = ENDED.has(before.status)
  const { planner } = before
  const state: PoolRun = {
    ...before,
    ...heard,
    pool,
    spec: { ...before.spec, noQuestions: event.noQuestions ?? before.spec.noQuestions },
    environment: event.environment,
    timeLimit: limitFrom(before.spec.maxTimeMs, event.at),
    status: 'active',
    cause: null,
    endedAt: null,
    wish: null,
    proven: null,
    waiting: event.text ? [...before.waiting, event.text] : before.waiting,
    planner: planner.status === 'paused' ? { ...planner, status: 'active', cause: null } : planner,
    tasks: before.tasks.map(rearmed),
    ...(hasEnded && { paidBeforeUsd: poolCost(before) }),
  }
  const next =
    hasEnded || before.cause === 'project-missing' || state.phase === 'opening'
      ? goOn(state, event.at)
      : proceed(state, event.at)
  return {
    ...next,
    effects: [...tell(before, 'resume'), ...(next.effects ?? []), ...limitTimer(state)],
    forget: [...(next.forget ?? []), 'max-time'],
  }
}

/** A pool that only planned has no workers yet, unless it was sent on without a number. */
function widened({ pool, status, tasks }: PoolRun, more: number) {
  const isWorking = !ENDED.has(status) && (pool.autoSpawn || tasks.some(({ isLive }) => isLive))
  return { autoSpawn: true, maxWorkers: isWorking ? pool.maxWorkers + more : more }
}

function rearmed(task: PoolRun['tasks'][number]): PoolRun['tasks'][number] {
  if (task.state === 'failed') return { ...task, state: 'pending', attempts: 0, reds: 0, bring: task.commit !== null }
  if (task.state === 'stuck') return { ...task, state: 'pending', conflicts: 0, bring: true }
  // It is told to go on.
  return task.isLive && task.status === 'paused' ? { ...task, status: 'active', cause: null } : task
}

/** Where it stood: what was begun and forgotten at its end is begun again. */
function goOn(state: PoolRun, at: number): Decision<PoolRun> {
  if (state.base === null) return { state: { ...state, phase: 'opening' }, effects: [{ do: 'open-pool' }] }
  if (state.loop.ward !== null && state.pool.autoSpawn && state.baseRed === null) {
    return begin({ ...state, phase: 'basing' }, at)
  }
  if (state.phase === 'judging') return judge(state, at)
  const isOver = (task: PoolRun['tasks'][number]) => ['merged', 'done', 'dropped'].includes(task.state)
  if (!state.tasks.every(isOver)) return proceed({ ...state, phase: 'working', isRead: false }, at)
  const [text, ...waiting] = state.waiting
  const say = text === undefined ? null : { note: TOLD_NOTE, text }
  return planAgain({ ...state, waiting, round: 0 }, at, say)
}
