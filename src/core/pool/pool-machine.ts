import type { RunCreatedOf, RunEventOf, Stamped } from '../../contract/event.ts'
import type { Judgement } from '../../contract/loop.ts'
import { ENDED } from '../../contract/run.ts'
import type { Decision } from '../machine.ts'
import { JUDGED_NOTE } from '../notes.ts'
import { beginParent, parentMachine } from '../parent/parent-machine.ts'
import { after, block, end, isOverBudget, rearm, saying, stopAll, tell, unblock } from '../parent/parent-moves.ts'
import { liveOf, withChild, withNotes } from '../parent/parent-state.ts'
import { WAITING_KEPT } from '../session/session-state.ts'
import { limitTimer } from '../time-limit.ts'
import { answered, taskMerged } from './after-merge.ts'
import { childChanged, childEnded, childNotStarted } from './pool-after-child.ts'
import { complete, judge, planAgain, planFor, proceed } from './pool-moves.ts'
import { childOf, PLANNER, type PoolRun } from './pool-state.ts'
import { claimed, finished, released, withNewTasks } from './queue.ts'

/** A pool: open, ward the base, plan, work and merge until no task is left, judge the whole, and plan again or end. */
export const poolMachine = parentMachine<PoolRun>({ create, decide })

// Whoever did not hear an answer asks again within the minute.
const JOINED_KEPT = 20

function create(event: Stamped<RunCreatedOf<'pool'>>): Decision<PoolRun> {
  const state: PoolRun = {
    kind: 'pool',
    ...beginParent(event),
    pool: event.pool,
    lastWard: null,
    phase: 'opening',
    round: 0,
    say: null,
    tasks: [],
    isRead: false,
    errors: [],
    criteria: Array.from({ length: event.loop.criteria }, () => 'UNKNOWN' as const),
    isTold: false,
    joined: [],
  }
  return { state, effects: [{ do: 'open-branch' }, ...limitTimer(state)] }
}

function decide(state: PoolRun, event: Stamped): Decision<PoolRun> {
  switch (event.type) {
    case 'branch-opened':
      return opened(state, event)
    case 'warded':
      return warded(state, event)
    case 'child-started':
      return { state: withChild(state, event.child, { isMade: true }) }
    case 'child-changed':
      return childChanged(state, event)
    case 'child-not-started':
      return childNotStarted(state, event)
    case 'child-ended':
      return childEnded(state, event)
    case 'tasks-read':
      return tasksRead(state, event)
    case 'tasks-added':
      return proceed(withNotes(withNewTasks(state, event.added), event.notes ?? []), event.at)
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
    case 'reject-requested':
      return rejected(state, event.at)
    case 'resume-requested':
      return resumed(state, event)
    default:
      return { state }
  }
}

function opened(state: PoolRun, { base, notes, at }: Stamped<RunEventOf<'branch-opened'>>): Decision<PoolRun> {
  if (state.phase !== 'opening') return { state }
  const next: PoolRun = withNotes({ ...state, base, tip: base.commit, phase: 'basing' }, notes)
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
  const state = withNotes({ ...withNewTasks(before, added), isRead: true }, notes)
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
  return state.cause === 'waits-for-person' && state.phase === 'working' ? unblock(state) : state
}

function judged(before: PoolRun, judgement: Judgement, at: number): Decision<PoolRun> {
  const { verdict, criteria, report, costUsd, failed } = judgement
  const state: PoolRun = withNotes(
    {
      ...before,
      phase: 'working',
      judgesUsd: before.judgesUsd + costUsd,
      criteria: before.criteria.map((mark, n) => criteria[n] ?? mark),
    },
    failed ? [report] : [],
  )
  if (isOverBudget(state)) return stopAll(state, at, 'cost')
  // A judge that failed says nothing against what is merged and green.
  if (failed || (verdict === 'complete' && !criteria.includes('FAIL'))) return complete(state, at)
  if (verdict === 'stalled') return end(state, at, 'stalled', 'judged-stalled')
  if (verdict === 'blocked') return block(state, 'waits-for-person')
  return planAgain(state, at, saying(JUDGED_NOTE, report))
}

/** Whoever works hears it with the next prompt; it waits for the planner too, who may have to plan for it. */
function told(before: PoolRun, { text, seq }: Stamped<RunEventOf<'told'>>): Decision<PoolRun> {
  const message = { text, of: seq }
  const state: PoolRun = { ...before, waiting: [...before.waiting, message].slice(-WAITING_KEPT) }
  return { state, effects: tell(state, 'tell', { message }) }
}

/** No worker starts any more; those that work come to their end. */
function rejected(state: PoolRun, at: number): Decision<PoolRun> {
  if (ENDED.has(state.status)) return { state }
  const next: PoolRun = { ...state, wish: state.wish ?? 'reject' }
  const planner = childOf(state, PLANNER)
  if (planner.isLive) return { state: next, effects: tell(next, 'reject', { children: [planner] }) }
  if (liveOf(state).length === 0 && state.merging === null) return end(next, at, 'cancelled', 'rejected')
  return proceed(next, at)
}

function resumed(before: PoolRun, event: Stamped<RunEventOf<'resume-requested'>>): Decision<PoolRun> {
  const more = event.workers ?? 0
  const { joined } = before
  if (event.request !== undefined && joined.includes(event.request)) return { state: before }
  const wider: PoolRun = {
    ...before,
    joined: event.request === undefined ? joined : [...joined, event.request].slice(-JOINED_KEPT),
    pool: more > 0 ? { ...before.pool, ...widened(before, more) } : before.pool,
  }
  if (before.status === 'active') return more > 0 ? proceed(wider, event.at) : { state: before }
  const message = event.text === null ? [] : [{ text: event.text, of: event.seq }]
  const state: PoolRun = {
    ...rearm(wider, event),
    waiting: [...before.waiting, ...message].slice(-WAITING_KEPT),
    tasks: before.tasks.map(rearmed),
  }
  const told = { state, effects: tell(before, 'resume') }
  const hasEnded = ENDED.has(before.status)
  const isAnew = hasEnded || before.cause === 'project-missing' || state.phase === 'opening'
  return after(told, now => (isAnew ? goOn(now, hasEnded, event.at) : proceed(now, event.at)))
}

/** A pool that only planned has no workers yet, unless it was sent on without a number. */
function widened(state: PoolRun, more: number) {
  const { pool, status } = state
  const isWorking = !ENDED.has(status) && (pool.autoSpawn || liveOf(state).some(({ name }) => name !== PLANNER))
  return { autoSpawn: true, maxWorkers: isWorking ? pool.maxWorkers + more : more }
}

function rearmed(task: PoolRun['tasks'][number]): PoolRun['tasks'][number] {
  if (task.state === 'failed') return { ...task, state: 'pending', attempts: 0, reds: 0, bring: task.commit !== null }
  return task.state === 'stuck' ? { ...task, state: 'pending', conflicts: 0, bring: true } : task
}

/** Where it stood: what was begun and forgotten at its end is begun again. */
function goOn(state: PoolRun, hasEnded: boolean, at: number): Decision<PoolRun> {
  if (state.base === null) return { state: { ...state, phase: 'opening' }, effects: [{ do: 'open-branch' }] }
  if (state.loop.ward !== null && state.pool.autoSpawn && state.baseRed === null) {
    return begin({ ...state, phase: 'basing' }, at)
  }
  if (state.phase === 'judging' && !hasEnded) return judge(state, at)
  const isOver = (task: PoolRun['tasks'][number]) => ['merged', 'done', 'dropped'].includes(task.state)
  if (!state.tasks.every(isOver)) return proceed({ ...state, phase: 'working', isRead: false }, at)
  const [message, ...waiting] = state.waiting
  return planAgain({ ...state, waiting, round: 0 }, at, message ? planFor(message) : null)
}
