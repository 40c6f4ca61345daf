import { TimerName } from '../../contract/event.ts'
import type { TextRef } from '../../contract/ids.ts'
import type { Cause } from '../../contract/run.ts'
import { isHeldByPlace } from '../causes-around.ts'
import type { Effect } from '../effect.ts'
import type { Decision, Forgotten } from '../machine.ts'
import { unheard } from '../session/session-moves.ts'
import { type SessionRun, WAITING_KEPT } from '../session/session-state.ts'
import { countedUsd } from '../session/session-view.ts'
import { limitStopped, limitTimer } from '../time-limit.ts'
import { type Ending, phaseOf, wishOf, working } from './doing.ts'
import type { LoopRun } from './loop-state.ts'

/** The moves that several decisions of a loop share. */

const ALL_TIMERS = TimerName.options

// What is under way when a run ends says nothing about what it does after a resume: a ward of an earlier iteration would
// prove a later one.
const BEGUN: Forgotten[] = ['open-loop', 'prepare-iteration', 'run-ward', 'ask-judge']

/** The next iteration, unless somebody asked meanwhile for something else. */
export function goOn(state: LoopRun, at: number): Decision<LoopRun> {
  const wish = wishOf(state.doing)
  if (wish === 'reject') return end(state, at, 'cancelled', 'rejected')
  if (wish === 'pause') return pause(state, 'paused-by-user')
  return prepare({ ...state, freshStarts: 0 }, nextNumber(state))
}

/** An iteration that was never closed is begun anew under its own number. */
export function nextNumber({ iteration, iterations }: LoopRun): number {
  const isClosed = iterations.find(({ n }) => n === iteration)?.facts
  return isClosed ? iteration + 1 : Math.max(1, iteration)
}

/** `iteration` may be the one that was cut off: then it is begun anew. */
export function prepare(
  state: LoopRun,
  iteration: number,
  { note = null, reopen = false }: { note?: string | null; reopen?: boolean } = {},
): Decision<LoopRun> {
  // What an earlier session of this iteration was told is said again, whether by its prompt or by a later turn of it.
  const told = [...state.given, ...(state.session ? unheard(state.session) : []), ...state.waiting]
  const messages = [...new Set(told)].slice(-WAITING_KEPT)
  const session = state.session && { ...state.session, waiting: [] }
  const next: LoopRun = {
    ...state,
    // A rest leads here only by `resume`, or by an answer when no pause waits. Neither leaves a wish to obey.
    ...working({ is: 'preparing', wish: state.doing.is === 'resting' ? null : pauseWish(state) }),
    session,
    iteration,
    waiting: [],
    given: messages,
    limitWaits: 0,
  }
  const { failures } = state
  return { state: next, effects: [{ do: 'prepare-iteration', iteration, messages, failures, note, reopen }] }
}

/** After a rest, in which no time limit ran. */
export function preparedAnew(state: LoopRun): Decision<LoopRun> {
  const next = prepare(state, nextNumber(state))
  return { ...next, effects: [...(next.effects ?? []), ...limitTimer(state)] }
}

export function waitingFor(state: LoopRun, text: TextRef): LoopRun {
  return { ...state, waiting: [...state.waiting, text].slice(-WAITING_KEPT) }
}

/**
 * An iteration that was begun is closed first, so that what its session left is kept under a ref of ours. Only where no
 * session runs any more: a checkpoint beside one would hold half of what it does.
 */
export function endKept(state: LoopRun, at: number, status: Ending['status'], cause: Cause): Decision<LoopRun> {
  const { session, iteration, iterations } = state
  const isBegun = iterations.some(({ n, facts }) => n === iteration && facts === null)
  if (!session || !isBegun) return end(state, at, status, cause)
  const closed: LoopRun = {
    ...paidFor(state, session, at),
    ...working({ is: 'keeping', ending: { status, cause } }),
    timeLimit: null,
  }
  return { state: closed, effects: [closing(iteration, session)], forget: [...ALL_TIMERS, ...BEGUN] }
}

/** Runs the checks on the checkpoint of an iteration. Iteration 0 is the base. */
export function warding(iteration: number, at: LoopRun['base']): Effect {
  return { do: 'run-ward', iteration, commit: at?.commit ?? null, tree: at?.tree ?? null }
}

/** For the session that has come to its end. */
export function closing(iteration: number, { firstTurn, turn, spec, status, cause }: SessionRun): Effect {
  const error = status === 'failed' ? cause : null
  return { do: 'close-iteration', iteration, session: spec.session, firstTurn, lastTurn: turn.n, error }
}

/** What the session cost is the run's, also when the iteration is begun anew. */
export function paidFor(
  state: LoopRun,
  session: SessionRun,
  at: number,
  outcome: 'finished' | 'error' | 'cut-off' = 'cut-off',
): LoopRun {
  const iterations = state.iterations.map(iteration =>
    iteration.n === state.iteration
      ? {
          ...iteration,
          outcome,
          endedAt: at,
          lastTurn: session.turn.n,
          costUsd: iteration.costUsd + session.costUsd,
        }
      : iteration,
  )
  const paid: SessionRun = { ...session, costUsd: 0, paidUsd: countedUsd(session) }
  return { ...state, iterations, costUsd: state.costUsd + session.costUsd, session: paid }
}

export function end(state: LoopRun, at: number, status: Ending['status'], cause: Cause): Decision<LoopRun> {
  const ended: LoopRun = { ...state, status, cause, endedAt: at, doing: { is: 'ended' }, timeLimit: null }
  return { state: ended, forget: [...ALL_TIMERS, ...BEGUN] }
}

/** A paused run has no clock: `resume` gives it its limits anew. */
export function pause(state: LoopRun, cause: Cause, isUndone = false): Decision<LoopRun> {
  const blocks = state.blocks + Number(isHeldByPlace(cause))
  const paused: LoopRun = {
    ...resting(state, { status: 'paused', cause, isUndone, wish: null }),
    timeLimit: null,
    blocks,
  }
  return { state: paused, forget: ALL_TIMERS }
}

/** Waits for a person, and its clock with it. With no questions wanted it is paused: whoever looks finds out why. */
export function block(state: LoopRun, cause: Cause, at: number): Decision<LoopRun> {
  const status = state.spec.noQuestions ? 'paused' : 'blocked'
  const timeLimit = limitStopped(state.timeLimit, at)
  const blocked = resting(state, { status, cause, isUndone: false, wish: pauseWish(state) })
  return { state: { ...blocked, timeLimit, blocks: state.blocks + 1 }, forget: ALL_TIMERS }
}

/** Brings a loop to rest. A loop that has ended stays ended. */
function resting(
  state: LoopRun,
  {
    status,
    cause,
    isUndone,
    wish,
  }: { status: 'paused' | 'blocked'; cause: Cause; isUndone: boolean; wish: 'pause' | null },
): LoopRun {
  const { doing } = state
  if (doing.is === 'ended') return state
  return { ...state, status, cause, endedAt: null, doing: { is: 'resting', at: phaseOf(doing), isUndone, wish } }
}

/** Returns the wish of a state that obeys every command at once except a pause. */
export function pauseWish({ doing }: LoopRun): 'pause' | null {
  return wishOf(doing) === 'pause' ? 'pause' : null
}

/** What it may still cost; null: there is no limit. Never nothing, because the client takes that for no limit either. */
export function costLeft({ spec, costUsd, paidBeforeUsd }: LoopRun): number | null {
  return spec.maxCostUsd === null ? null : Math.max(0.000001, spec.maxCostUsd - (costUsd - paidBeforeUsd))
}

export function isOverBudget({ spec, costUsd, paidBeforeUsd }: LoopRun): boolean {
  return spec.maxCostUsd !== null && costUsd - paidBeforeUsd >= spec.maxCostUsd
}
