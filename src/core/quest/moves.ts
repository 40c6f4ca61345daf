import { TimerName } from '../../contract/event.ts'
import type { TextRef } from '../../contract/ids.ts'
import type { QuestionKind } from '../../contract/inbox.ts'
import type { Cause, RunStatus } from '../../contract/run.ts'
import type { Effect } from '../effect.ts'
import type { Decision, Forgotten } from '../machine.ts'
import { limitStarted, limitStopped, limitTimer } from '../time-limit.ts'
import { freeSlot, isAllIn, startable } from './slots.ts'
import {
  allWork,
  childName,
  isThere,
  liveOf,
  messagesAfter,
  type Next,
  newWork,
  type Question,
  type QuestRun,
  type QuestSession,
  questCost,
  type Say,
  sessionNumbered,
  type Work,
  withSession,
  withWork,
  workOf,
} from './state.ts'
import { BEGIN } from './words.ts'

/** The moves of a quest. They are decided from the state alone, so that whatever happens is followed by the same look. */

const BEGUN: Forgotten[] = ['open-quest', 'ward-step']

/**
 * What is to be done now, after anything has happened: merge, fill the slots, and when nothing is left, the next phase.
 * `left`: a session that has just ended, and whose work goes on at once in its slot: a follow-up runs in its caller's.
 */
export function proceed(before: QuestRun, at: number, left: QuestSession | null = null): Decision<QuestRun> {
  if (before.wish !== null && before.wish !== 'reject') return stopped(before, at)
  if (before.status !== 'active' || before.phase === 'opening' || before.phase === 'basing') return { state: before }
  let state = before
  const effects: Effect[] = []
  const next = state.merging === null ? state.queue[0] : undefined
  if (next !== undefined) {
    state = withWork({ ...state, merging: next, merges: state.merges + 1 }, next, { state: 'merging' })
    const { tip, baseRed, merges } = state
    const commit = workOf(state, next)!.commit!
    effects.push({ do: 'merge-task', task: next, commit, tip: tip!, accepted: baseRed ?? [], merge: merges })
  }
  for (let slot = slotFor(state, left); slot !== null; slot = slotFor(state)) {
    const own = left && workOf(state, left.step)
    const work = own?.state === 'ready' ? own : startable(state)
    if (!work) break
    const started = start(state, work, slot, at)
    state = started.state
    effects.push(started.effect)
  }
  if (isBusy(state)) return { state: resting(state), effects }
  const settled = settle(state, at)
  return { ...settled, effects: [...effects, ...(settled.effects ?? [])] }
}

function slotFor(state: QuestRun, left: QuestSession | null = null): number | null {
  return state.wish === 'reject' || state.limit.untilMs !== null ? null : freeSlot(state, left?.slot)
}

/** Something goes on without a person. */
function isBusy(state: QuestRun): boolean {
  if (state.merging !== null || liveOf(state).length > 0) return true
  return allWork(state).some(
    work => work.state === 'warding' || (work.state === 'ready' && state.limit.untilMs !== null),
  )
}

function start(before: QuestRun, work: Work, slot: number, at: number): { state: QuestRun; effect: Effect } {
  const { role, session, say } = work.next ?? { role: 'codeweaver', session: null, say: { note: BEGIN, texts: [] } }
  const n = session ?? before.sessions.length + 1
  const heard = before.told
  const live = { isLive: true, slot, status: 'active' as const, cause: null, signal: null, endedAt: null, heard }
  const fresh: QuestSession = { n, id: null, role, step: work.id, startedAt: at, costUsd: 0, turns: 0, ...live }
  const state = session === null ? { ...before, sessions: [...before.sessions, fresh] } : withSession(before, n, live)
  const earlier = before.sessions.filter(one => one.step === work.id && one.role === role && one.n !== n)
  const effect: Effect = {
    do: 'run-role',
    n,
    step: work.id,
    role,
    resume: session !== null,
    say,
    messages: messagesAfter(before, session === null ? 0 : (sessionNumbered(before, n)?.heard ?? heard)),
    from: state.tip!,
    bring: work.bring ? state.tip : null,
    before: earlier.reduce((sum, { turns }) => sum + turns, 0),
    maxCostUsd: costLeft(state),
  }
  const attempts = work.attempts + (session === null ? 1 : 0)
  const phase = work.id === 'review' ? 'reviewing' : state.phase
  return {
    state: withWork({ ...state, phase }, work.id, { state: 'working', session: n, next: null, bring: false, attempts }),
    effect,
  }
}

/** Nothing runs. Whoever waits is said; what is whole goes on to its next phase. */
function settle(state: QuestRun, at: number): Decision<QuestRun> {
  if (state.wish === 'reject') return end(state, at, 'cancelled', 'rejected')
  const asking = allWork(state).filter(work => work.state === 'asking')
  const first = asking[0]
  if (first) return block(state, at, first.question?.kind === 'conflict' ? 'conflict' : 'waits-for-person')
  if (state.phase === 'working' && isAllIn(state)) return proceed(reviewing(state), at)
  return end(state, at, 'stalled', 'tasks-left')
}

/** Every step is in: the whole is looked at. */
function reviewing(state: QuestRun): QuestRun {
  const next: Next = { role: 'lawbringer', session: null, say: { note: BEGIN, texts: [] } }
  return errand({ ...state, phase: 'reviewing' }, 'review', next)
}

/** An errand is sent for, or sent for again. */
export function errand(state: QuestRun, id: 'requirements' | 'plan' | 'review', next: Next): QuestRun {
  const fresh = newWork({ id, text: state.prompt, files: [], dependsOn: [], requirements: [] }, id)
  const work: Work = { ...fresh, state: 'ready', next }
  const others = state.errands.filter(other => other.id !== id)
  return { ...state, errands: [...others, work] }
}

/** Waits for a slot, to go on with this. */
export function ready(state: QuestRun, id: string, next: Next, change: Partial<Work> = {}): QuestRun {
  return withWork(state, id, { ...change, state: 'ready', next, question: null })
}

export function saying(note: string, ...texts: (string | null)[]): Say {
  return { note, texts: texts.filter(text => text !== null) }
}

export function queued(state: QuestRun, id: string, change: Partial<Work> = {}): QuestRun {
  const next = withWork(state, id, { ...change, state: 'queued', phase: 'merge', next: null })
  return { ...next, queue: [...next.queue, id] }
}

/** A person has to say how it goes on. */
export function ask(
  state: QuestRun,
  id: string,
  at: number,
  question: { kind: QuestionKind; note: string; text: string | null; leads: Question['leads'] },
  change: Partial<Work> = {},
): QuestRun {
  const n = state.asked + 1
  const asked: Question = { n, askedAt: at, ...question }
  return withWork({ ...state, asked: n }, id, { ...change, state: 'asking', question: asked, next: null })
}

export function stopAll(state: QuestRun, at: number, wish: NonNullable<QuestRun['wish']>): Decision<QuestRun> {
  const next = { ...state, wish: state.wish === 'cancel' ? state.wish : wish }
  const stopping = stopped(next, at)
  return { ...stopping, effects: [...tell(next, 'cancel'), ...(stopping.effects ?? [])] }
}

function stopped(state: QuestRun, at: number): Decision<QuestRun> {
  // A merge is short, and half of one would be in the way of the next.
  if (state.merging !== null || liveOf(state).length > 0) return { state }
  if (state.wish === 'cost') return end(state, at, 'over-budget', 'max-cost')
  if (state.wish === 'time') return end(state, at, 'over-budget', 'max-time')
  return end(state, at, 'cancelled', 'cancelled')
}

/** Those that are there, or there for some steps; with what people said. */
export function tell(
  state: QuestRun,
  what: 'cancel' | 'pause' | 'resume' | 'tell',
  { steps, text }: { steps?: Set<string>; text?: TextRef } = {},
): Effect[] {
  const live = liveOf(state).filter(({ step }) => steps === undefined || steps.has(step))
  const hear = what === 'tell' ? live.filter(isThere) : live
  const children = hear.map(({ n }) => childName(n))
  return children.length ? [{ do: 'tell-children', what, children, ...(text !== undefined && { text }) }] : []
}

export function end(state: QuestRun, at: number, status: RunStatus, cause: Cause): Decision<QuestRun> {
  const limit = { ...state.limit, untilMs: null }
  const ended: QuestRun = { ...state, status, cause, endedAt: at, wish: null, limit }
  return { state: ended, forget: [...TimerName.options, ...BEGUN] }
}

/** A paused quest has no clock: `resume` gives it its limits anew. */
export function pause(state: QuestRun, cause: Cause): Decision<QuestRun> {
  return { state: { ...state, status: 'paused', cause }, forget: ['max-time'] }
}

/** Waits for a person. With no questions wanted it is paused instead: whoever looks finds out why. */
function block(state: QuestRun, at: number, cause: Cause): Decision<QuestRun> {
  if (state.spec.noQuestions) return pause(state, 'question')
  const timeLimit = limitStopped(state.timeLimit, at)
  return { state: { ...state, status: 'blocked', cause, timeLimit }, forget: ['max-time'] }
}

/** What it waited for has come. */
export function woken(state: QuestRun, at: number): Decision<QuestRun> {
  if (state.status !== 'blocked') return { state }
  const timeLimit = limitStarted(state.timeLimit, at)
  const next: QuestRun = { ...state, status: 'active', cause: null, timeLimit }
  return { state: next, effects: timeLimit === state.timeLimit ? [] : limitTimer(next) }
}

/** When every session rests, because it was paused or cannot start, so does the quest. */
function resting(state: QuestRun): QuestRun {
  const live = liveOf(state)
  const rests = live.filter(({ status }) => status === 'paused' || status === 'blocked')
  if (live.length === 0 || rests.length < live.length || state.merging !== null) return state
  if (allWork(state).some(work => work.state === 'warding')) return state
  const { status, cause } = rests.find(one => one.status === 'blocked') ?? rests[0]!
  return { ...state, status, cause }
}

/** One decision after the other, on what the first made of the state. */
export function after(first: Decision<QuestRun>, next: (state: QuestRun) => Decision<QuestRun>): Decision<QuestRun> {
  const second = next(first.state)
  return {
    state: second.state,
    effects: [...(first.effects ?? []), ...(second.effects ?? [])],
    forget: [...(first.forget ?? []), ...(second.forget ?? [])],
  }
}

/** What it may still cost; null: there is no limit. Never nothing, because the client takes that for no limit either. */
export function costLeft(state: QuestRun): number | null {
  const { maxCostUsd } = state.spec
  return maxCostUsd === null ? null : Math.max(0.000001, maxCostUsd - (questCost(state) - state.paidBeforeUsd))
}

export function isOverBudget(state: QuestRun): boolean {
  const { maxCostUsd } = state.spec
  return maxCostUsd !== null && questCost(state) - state.paidBeforeUsd >= maxCostUsd
}
