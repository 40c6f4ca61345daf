import type { RunEventOf, Stamped } from '../../contract/event.ts'
import type { Decision } from '../machine.ts'
import { sessionMachine } from '../session/session-machine.ts'
import { limitFrom, limitStarted, limitTimer } from '../time-limit.ts'
import { working } from './doing.ts'
import { inSession, withSession } from './in-session.ts'
import { closing, nextNumber, prepare, preparedAnew, waitingFor, warding } from './loop-moves.ts'
import type { LoopRun } from './loop-state.ts'
import { isAway } from './outage.ts'

type Resume = Stamped<RunEventOf<'resume-requested'>>

/** Goes on where it stood: with its session when that was only stopped, else with the next iteration and limits anew. */
export function resumed(state: LoopRun, event: Resume): Decision<LoopRun> {
  if (state.status === 'active') return { state }
  const { at, environment } = event
  const said = heardOnResume(state, event)
  const again: LoopRun = {
    ...said,
    spec: { ...said.spec, noQuestions: event.noQuestions ?? said.spec.noQuestions },
    environment,
    freshStarts: 0,
    limitWaits: 0,
    outage: null,
  }
  const { doing } = state
  if (doing.is === 'taken-over') return givenBack(again, event)
  const armed: LoopRun = { ...again, timeLimit: limitFrom(again.spec.maxTimeMs, at) }
  if (doing.is === 'ended') return anew(armed)
  return state.status === 'blocked' ? preparedAnew(armed) : unpaused(armed, doing, event)
}

/** A pool sends its worker on with what came of its work; people leave a message. */
function heardOnResume(state: LoopRun, { text, by, from }: RunEventOf<'resume-requested'>): LoopRun {
  const { loop } = state
  const disposable = loop.disposable && from ? { ...loop.disposable, commit: from } : loop.disposable
  if (by !== undefined)
    return { ...state, loop: { ...loop, disposable }, resumedBy: by, failures: text ?? state.failures }
  return text ? waitingFor(state, text) : state
}

/** Resumes a loop that had ended. Everything that counts towards an end starts from zero. */
function anew(ended: LoopRun): Decision<LoopRun> {
  const state: LoopRun = {
    ...ended,
    armedAt: ended.iteration,
    paidBeforeUsd: ended.costUsd,
    ledger: { ...ended.ledger, unmovedFor: 0 },
    sameEnd: { end: null, times: 0 },
    refused: { claims: 0, allByBase: true },
    anchorChanges: 0,
    errors: [],
  }
  if (!state.isOpen) return opening(state)
  const next = prepare(state, nextNumber(state), { reopen: true })
  return { ...next, effects: [...(next.effects ?? []), ...limitTimer(state)] }
}

function opening(state: LoopRun): Decision<LoopRun> {
  const next: LoopRun = { ...state, ...working({ is: 'opening', wish: null }) }
  return { state: next, effects: [{ do: 'open-loop' }, ...limitTimer(next)] }
}

type Resting = Extract<LoopRun['doing'], { is: 'resting' }>

function unpaused(state: LoopRun, { at, isUndone }: Resting, event: Resume): Decision<LoopRun> {
  const { session, iteration } = state
  const limit = limitTimer(state)
  if (at === 'opening') return opening(state)
  if (at === 'closing' && isUndone && session) {
    const next: LoopRun = { ...state, ...working({ is: 'closing', wish: null }) }
    return { state: next, effects: [closing(iteration, session), ...limit] }
  }
  if (at === 'basing' && isUndone) {
    return {
      state: { ...state, ...working({ is: 'basing', wish: null }) },
      effects: [warding(0, state.base), ...limit],
    }
  }
  if (at === 'warding' && isUndone) {
    const checkpoint = state.iterations.at(-1)?.facts?.checkpoint ?? null
    const next: LoopRun = { ...state, ...working({ is: 'warding', wish: null }) }
    return { state: next, effects: [warding(iteration, checkpoint), ...limit] }
  }
  const hasSession = (at === 'running' || at === 'waiting') && session && !isAway(state)
  return hasSession ? sessionResumed(state, event) : preparedAnew(state)
}

/** Its session hears what was said as part of its own next turn. */
function sessionResumed(state: LoopRun, event: Resume): Decision<LoopRun> {
  const before = state.session!
  const session = { ...before, status: 'paused' as const, waiting: [...before.waiting, ...state.waiting] }
  const decision = sessionMachine.decide(session, { ...event, text: null })
  const given = [...state.given, ...state.waiting]
  const running: LoopRun = { ...state, ...working({ is: 'running', wish: null }), waiting: [], given }
  const next = withSession(running, decision, event)
  return { ...next, effects: [...(next.effects ?? []), ...limitTimer(state)] }
}

/** The person has left the pane: when its turn is over already, nothing else will say so. */
function givenBack(state: LoopRun, event: Stamped): Decision<LoopRun> {
  const session = state.session!
  const turn = { ...session.turn, takenOver: false, ownSince: event.at }
  const timeLimit = limitStarted(state.timeLimit, event.at)
  const running = working({ is: 'running', wish: null })
  const next: LoopRun = { ...state, ...running, timeLimit, session: { ...session, turn } }
  const limit = limitTimer(next)
  if (!turn.stopped) return { state: next, effects: limit }
  const report = { kind: 'stopped' as const, offset: turn.reportedTo + 1, running: turn.stopped.running }
  const over = inSession(next, { ...event, type: 'session-reported', effect: turn.effect, turn: turn.n, report })
  return { ...over, effects: [...(over.effects ?? []), ...limit] }
}
