import { type RunEventOf, type Stamped, TimerName } from '../../contract/event.ts'
import type { TextRef } from '../../contract/ids.ts'
import { type Cause, ENDED, type RunStatus } from '../../contract/run.ts'
import type { ChildNote, Effect, EffectOf } from '../effect.ts'
import { type Decision, type Forgotten, isForgotten } from '../machine.ts'
import { limitFrom } from '../time-limit.ts'
import { costOf, liveOf, type Message, type ParentState, type Wish } from './parent-state.ts'

/** The moves that pools and quests share. They are decided from the state alone. */

// Effects whose outcome does not matter once the run has ended.
const BEGUN: Forgotten[] = ['open-branch', 'run-ward', 'ask-judge', 'read-tasks']

export function end<S extends ParentState>(state: S, at: number, status: RunStatus, cause: Cause): Decision<S> {
  const ended = { ...state, status, cause, endedAt: at, wish: null }
  return { state: ended, forget: [...TimerName.options, ...BEGUN] }
}

export function pause<S extends ParentState>(state: S, cause: Cause): Decision<S> {
  return { state: { ...state, status: 'paused', cause } }
}

/** Waits for a person. A run without questions pauses instead, and says why. */
export function block<S extends ParentState>(state: S, cause: Cause): Decision<S> {
  const status = state.spec.noQuestions ? 'paused' : 'blocked'
  return { state: { ...state, status, cause, blocks: state.blocks + 1 } }
}

/** The person it waited for has done something. A run that a person paused meanwhile stays paused. */
export function unblock<S extends ParentState>(state: S): S {
  if (state.status !== 'blocked') return state
  return state.isPaused
    ? { ...state, status: 'paused', cause: 'paused-by-user' }
    : { ...state, status: 'active', cause: null }
}

/** When every child waits or is paused, so is the parent: its question is theirs. */
export function rest<S extends ParentState>(state: S): S {
  const live = liveOf(state)
  const resting = live.filter(({ status }) => status === 'blocked' || status === 'paused')
  if (live.length === 0 || resting.length < live.length || state.merging !== null) return state
  const { status, cause } = resting.find(child => child.status === 'blocked') ?? resting[0]!
  return { ...state, status, cause }
}

/** Makes a parent active again that rested with its children, because one of them continues or has ended. */
export function wake<S extends ParentState>(state: S): S {
  const isResting = state.status === 'blocked' || state.status === 'paused'
  if (!isResting || state.isPaused || state.cause === 'ward-could-not-run') return state
  return { ...state, status: 'active', cause: null }
}

/** Ends every child; the parent ends when the last of them has. */
export function stopAll<S extends ParentState>(state: S, at: number, wish: Wish): Decision<S> {
  const next: S = { ...state, wish: state.wish === 'cancel' ? state.wish : wish }
  return after({ state: next, effects: tell(next, 'cancel') }, now => stop(now, at))
}

/** Ends the run as its wish says, once nothing runs any more. */
export function stop<S extends ParentState>(state: S, at: number): Decision<S> {
  // A merge is short, and half of one would be in the way of the next.
  if (state.merging !== null || liveOf(state).length > 0) return { state }
  if (state.wish === 'cost') return end(state, at, 'over-budget', 'max-cost')
  if (state.wish === 'time') return end(state, at, 'over-budget', 'max-time')
  return end(state, at, 'cancelled', 'cancelled')
}

/** Returns whether the run ends as soon as its children have ended. A rejected run lets its children finish instead. */
export function isStopping({ wish }: Pick<ParentState, 'wish'>): boolean {
  return wish !== null && wish !== 'reject'
}

/** Stops everything when the run has spent what it may. */
export function keepBudget<S extends ParentState>(decision: Decision<S>, at: number): Decision<S> {
  const { state } = decision
  if (!isOverBudget(state) || state.wish !== null || state.endedAt !== null) return decision
  return after(decision, now => stopAll(now, at, 'cost'))
}

/** Tells something to all live children, or only to the given children. */
export function tell(
  state: ParentState,
  what: EffectOf<'tell-children'>['what'],
  { children = liveOf(state), message }: { children?: { name: string }[]; message?: Message } = {},
): Effect[] {
  if (children.length === 0) return []
  return [{ do: 'tell-children', what, children: children.map(({ name }) => name), ...message }]
}

/** Asks for the next merge of the queue, unless one is running. */
export function mergeNext<S extends ParentState>(before: S, commitOf: (id: string) => string): Decision<S> {
  const next = before.merging === null ? before.queue[0] : undefined
  if (next === undefined) return { state: before, effects: [] }
  const state = { ...before, merging: next, merges: before.merges + 1 }
  const { tip, baseRed, merges } = state
  const commit = commitOf(next)
  return {
    state,
    effects: [{ do: 'merge-task', task: next, commit, tip: tip!, accepted: baseRed ?? [], merge: merges }],
  }
}

/** Writes the outcome of a merge into the state, and removes the merged work from the queue. */
export function afterMerge<S extends ParentState>(before: S, { task, outcome }: RunEventOf<'task-merged'>): S {
  const isIn = outcome.result === 'merged' || outcome.result === 'nothing'
  return {
    ...before,
    merging: null,
    queue: before.queue.filter(other => other !== task),
    tip: outcome.tip,
    isTampered: before.isTampered || (isIn && outcome.ward?.tampered === true),
  }
}

/** Ends the run as complete. An accepted result that is not green fails only checks that were red before the run. */
export function complete<S extends ParentState>(state: S, at: number, isGreen: boolean): Decision<S> {
  if (state.loop.ward !== null && !isGreen) return end({ ...state, proven: false }, at, 'complete', 'base-still-red')
  return end({ ...state, proven: isGreen && !state.isTampered }, at, 'complete', 'merged')
}

/** Makes a paused, blocked or ended run active again, with fresh limits. `tell` resumes its paused children. */
export function rearm<S extends ParentState>(before: S, event: Stamped<RunEventOf<'resume-requested'>>): S {
  const spec = { ...before.spec, noQuestions: event.noQuestions ?? before.spec.noQuestions }
  return {
    ...before,
    spec,
    environment: event.environment,
    timeLimit: limitFrom(spec.maxTimeMs, event.at),
    status: 'active',
    cause: null,
    isPaused: false,
    endedAt: null,
    wish: null,
    proven: null,
    children: before.children.map(child =>
      child.isLive && child.status === 'paused' ? { ...child, status: 'active', cause: null } : child,
    ),
    ...(ENDED.has(before.status) && { paidBeforeUsd: costOf(before) }),
  }
}

/** What a child is told: our own words, and texts of others where there are any. */
export function saying(note: string, ...texts: (TextRef | null)[]): ChildNote {
  return { note, texts: texts.filter(text => text !== null) }
}

/** Makes the second decision on the state that the first left. Effects of the first that the second forgets are dropped. */
export function after<S>(first: Decision<S>, next: (state: S) => Decision<S>): Decision<S> {
  const { state, effects = [], forget = [] } = next(first.state)
  const wanted = (first.effects ?? []).filter(effect => !isForgotten(effect, forget))
  return { state, effects: [...wanted, ...effects], forget: [...(first.forget ?? []), ...forget] }
}

/** Returns what the run may still cost; null: there is no limit. Never zero, because the client takes zero for no limit. */
export function costLeft(state: ParentState): number | null {
  const { maxCostUsd } = state.spec
  return maxCostUsd === null ? null : Math.max(0.000001, maxCostUsd - (costOf(state) - state.paidBeforeUsd))
}

export function isOverBudget(state: ParentState): boolean {
  const { maxCostUsd } = state.spec
  return maxCostUsd !== null && costOf(state) - state.paidBeforeUsd >= maxCostUsd
}
