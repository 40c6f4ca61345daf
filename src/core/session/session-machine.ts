import type { RunCreatedOf, RunEventOf, Stamped, TimerName } from '../../contract/event.ts'
import type { TextRef } from '../../contract/ids.ts'
import { ENDED } from '../../contract/run.ts'
import type { Effect } from '../effect.ts'
import type { Decision, Machine } from '../machine.ts'
import {
  CUT_OFF_NOTE,
  LIMIT_NOTE,
  NO_NOTE,
  RESUMED_NOTE,
  STUCK_NOTE,
  TAKEN_OVER_NOTE,
  UNSIGNALLED_NOTE,
} from '../notes.ts'
import { clockStarted, clockStopped, limitFrom, limitTimer } from '../time-limit.ts'
import { reported } from './reported.ts'
import {
  end,
  endTurn,
  inPane,
  isHeard,
  newTurn,
  nextTurn,
  pause,
  runSession,
  unheard,
  withTurn,
  withUnanswered,
} from './session-moves.ts'
import { type SessionRun, WAITING_KEPT } from './session-state.ts'
import { countedUsd } from './session-view.ts'

/** A run of kind session: start it, follow it, go on with messages, survive a cut, end with a cause. */
export const sessionMachine: Machine<SessionRun> = { create, decide }

// Growing waits, because what cut a session off (memory, a sleeping laptop) is often still there a second later.
const CRASH_WAITS_MS = [1_000, 5_000, 25_000]

const STUCK_RESUMES = 1

// Its pane was taken from under it, with the tmux server or without: 128 and the number of SIGHUP.
const HUNG_UP = 129

function create(event: Stamped<RunCreatedOf<'session'>>): Decision<SessionRun> {
  const { run: id, request, spec, prompt, environment, at, seq, part } = event
  return begin({
    id,
    request,
    spec,
    prompt,
    environment,
    at,
    seq,
    label: part ? { ...part, iteration: null } : { role: 'session', iteration: null },
    turn: 1,
  })
}

type Beginning = Pick<SessionRun, 'id' | 'request' | 'spec' | 'prompt' | 'environment' | 'label'> & {
  at: number
  seq: number
  /** The number of its first turn. */
  turn: number
}

/** A session of its own, or that of an iteration. */
export function begin({ at, seq, turn, ...given }: Beginning): Decision<SessionRun> {
  const state: SessionRun = {
    kind: 'session',
    ...given,
    firstTurn: turn,
    status: 'active',
    cause: null,
    createdAt: at,
    endedAt: null,
    model: null,
    waiting: [],
    unanswered: [],
    timeLimit: limitFrom(given.spec.maxTimeMs, at),
    turn: newTurn(turn, `${given.id}:${seq}:0`),
    earlier: [],
    crashes: 0,
    stuck: 0,
    costUsd: 0,
    paidUsd: 0,
    limitResetsAt: null,
    missing: [],
    without: [],
    repairs: 0,
    resumedBy: null,
  }
  return { state, effects: [runSession(state, null), ...limitTimer(state)] }
}

function decide(state: SessionRun, event: Stamped): Decision<SessionRun> {
  switch (event.type) {
    case 'session-started':
      if (state.turn.pid !== null) return { state }
      return withTurn({ ...state, without: event.without }, { state: 'running', pid: event.pid, startedAt: event.at })
    case 'session-reported':
      return reported(state, event.report, event.at)
    case 'session-stuck':
      return isStuck(state)
    case 'session-ended':
      return ended(state, event)
    case 'session-not-started':
      return notStarted(state, event)
    case 'timer-fired':
      return timerFired(state, event)
    case 'cancel-requested':
      return stop(state, event.at, 'cancel')
    case 'pause-requested':
      return stop(state, event.at, 'pause')
    case 'resume-requested':
      return resumed(state, event)
    case 'told':
      return told(state, event.text)
    case 'session-signalled':
      return signalled(state, event.at)
    case 'question-asked':
      return asked(state, event.text)
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

/** Typed into a pane that is there; else it waits for the next prompt. */
function told(state: SessionRun, text: string): Decision<SessionRun> {
  const { turn, spec } = state
  if (spec.driver === 'pane' && turn.state === 'running' && !turn.ending) {
    const next = withTurn({ ...state, unanswered: withUnanswered(state, [...turn.given, text]) }, { given: [] })
    return { ...next, effects: [{ do: 'type-text', turn: turn.n, session: spec.session, text }] }
  }
  return unheard(state).length < WAITING_KEPT ? { state: { ...state, waiting: [...state.waiting, text] } } : { state }
}

/** It gets a short grace to end by itself. */
function signalled(state: SessionRun, at: number): Decision<SessionRun> {
  const { turn, spec } = state
  if (state.status !== 'active' || turn.signalled) return { state }
  const next = withTurn(state, { signalled: true }).state
  // It was cut off between its signal and us.
  if (turn.state === 'ended') return end(next, at, 'complete', 'finished')
  const timer: Effect = { do: 'set-timer', name: 'quiet', atMs: at + spec.endGraceMs }
  return { state: next, forget: ['quiet'], effects: [timer] }
}

/** Nobody is there to answer: the session is ended, and the run waits for somebody to look. */
function asked(state: SessionRun, text: TextRef): Decision<SessionRun> {
  if (state.status !== 'active' || state.turn.state === 'ended' || state.turn.ending) return { state }
  return endTurn(withTurn(state, { asked: text }).state, 'question')
}

function ended(state: SessionRun, event: Stamped<RunEventOf<'session-ended'>>): Decision<SessionRun> {
  const { turn } = state
  // Who is ended in the middle says no result, but notes what the session has cost.
  const costUsd = Math.max(turn.result?.costUsd ?? 0, (event.totalUsd ?? 0) - countedUsd(state))
  const done: SessionRun = {
    ...state,
    costUsd: state.costUsd + costUsd,
    waiting: unheard(state),
    unanswered: isHeard(state) ? withUnanswered(state, turn.given) : state.unanswered,
    turn: {
      ...turn,
      state: 'ended',
      given: [],
      exit: event.exit,
      endedAt: event.at,
      outputBytes: event.outputBytes,
      costUsd,
    },
  }
  const forget: TimerName[] = ['background', 'quiet']
  if (turn.ending === 'cancel') return end(done, event.at, 'cancelled', 'cancelled')
  if (turn.ending === 'time') return end(done, event.at, 'over-budget', 'max-time')
  if (turn.signalled) return end(done, event.at, 'complete', 'finished')
  if (turn.ending === 'pause') return pause(done, 'paused-by-user')
  if (turn.ending === 'question') return pause(done, 'question')
  if (turn.ending === 'stuck' && !turn.result) {
    return state.stuck > STUCK_RESUMES
      ? end(done, event.at, 'failed', 'stuck')
      : nextTurn(done, event, STUCK_NOTE, forget)
  }
  if (turn.ending === 'takeover') return nextTurn(inPane(done), event, turn.result ? NO_NOTE : TAKEN_OVER_NOTE, forget)
  if (turn.result?.why === 'unpriced') return pause(done, 'unpriced')
  if (turn.result?.why === 'max-cost') return end(done, event.at, 'over-budget', 'max-cost')
  if (turn.result?.isError && turn.result.why !== 'ok') return end(done, event.at, 'failed', turn.result.why)
  if (turn.result && state.spec.questTools && !done.waiting.length) return crashed(done, event)
  if (turn.result)
    return done.waiting.length ? nextTurn(done, event, null, forget) : end(done, event.at, 'complete', 'finished')
  // Nobody but its user ends a session in a pane in good order. Who has taken it over may also close its pane.
  const codes = turn.takenOver ? [0, HUNG_UP] : [0]
  const isClosed = state.spec.driver === 'pane' && event.exit.how === 'exited' && codes.includes(event.exit.code)
  return isClosed ? end(done, event.at, 'complete', 'closed') : crashed(done, event)
}

/** It is ended, and goes on once: what hung may not hang again. */
function isStuck(state: SessionRun): Decision<SessionRun> {
  const { turn } = state
  if (state.status !== 'active' || turn.state === 'ended' || turn.ending || turn.takenOver) return { state }
  return endTurn({ ...state, stuck: state.stuck + 1 }, 'stuck')
}

/** It ended without a result. One that ended by itself before it spoke has said all that it will ever say. */
function crashed(state: SessionRun, event: Stamped<RunEventOf<'session-ended'>>): Decision<SessionRun> {
  const { exit } = event
  // A code above 128 is a signal: somebody killed it.
  const refused = !state.turn.heard && exit.how === 'exited' && exit.code <= 128
  if (refused) return end(state, event.at, 'failed', 'client-refused')
  if (state.crashes >= state.spec.crashRetries) return end(state, event.at, 'failed', 'crashed')
  const waitMs = CRASH_WAITS_MS[Math.min(state.crashes, CRASH_WAITS_MS.length - 1)]!
  const effects: Effect[] = [{ do: 'set-timer', name: 'crash-wait', atMs: event.at + waitMs }]
  return { state: { ...state, crashes: state.crashes + 1 }, effects, forget: ['background', 'quiet'] }
}

function notStarted(state: SessionRun, event: Stamped<RunEventOf<'session-not-started'>>): Decision<SessionRun> {
  const done = {
    ...state,
    missing: event.names,
    waiting: unheard(state),
    turn: { ...state.turn, state: 'ended' as const, given: [], endedAt: event.at },
  }
  if (state.turn.ending === 'cancel') return end(done, event.at, 'cancelled', 'cancelled')
  if (state.turn.ending === 'time') return end(done, event.at, 'over-budget', 'max-time')
  if (event.cause === 'client-missing') return end(done, event.at, 'failed', 'client-missing')
  return pause(done, event.cause)
}

function timerFired(state: SessionRun, event: Stamped<RunEventOf<'timer-fired'>>): Decision<SessionRun> {
  const name = event.timer
  if (ENDED.has(state.status)) return { state }
  if (name === 'crash-wait') return nextTurn(state, event, state.turn.result ? UNSIGNALLED_NOTE : CUT_OFF_NOTE, [])
  if (name === 'background') return endTurn(state, 'background')
  if (name === 'quiet') return endTurn(state, 'finished')
  if (name === 'limit-wait') return nextTurn(state, event, LIMIT_NOTE, [])
  return stop(state, event.at, 'time')
}

function stop(state: SessionRun, at: number, why: 'cancel' | 'pause' | 'time'): Decision<SessionRun> {
  if (ENDED.has(state.status)) return { state }
  // It ends in a moment anyway, and then it has ended well.
  if (state.turn.signalled && why === 'pause') return { state }
  if (state.turn.state !== 'ended') return endTurn(state, why)
  if (why === 'cancel') return end(state, at, 'cancelled', 'cancelled')
  if (why === 'time') return end(state, at, 'over-budget', 'max-time')
  return pause(state, 'paused-by-user')
}

function resumed(state: SessionRun, event: Stamped<RunEventOf<'resume-requested'>>): Decision<SessionRun> {
  if (state.status === 'active') return event.into ? takenOver(state, event) : { state }
  const waiting = event.text ? [...state.waiting, event.text] : state.waiting
  const { maxCostUsd } = event
  const spec = {
    ...state.spec,
    noQuestions: event.noQuestions ?? state.spec.noQuestions,
    // What it has cost so far is its own; what may come is what is left of its quest's.
    ...(maxCostUsd !== undefined && { maxCostUsd: maxCostUsd && maxCostUsd + state.costUsd }),
  }
  const again: SessionRun = {
    ...state,
    ...(event.by !== undefined && { resumedBy: event.by }),
    spec,
    environment: event.environment,
    waiting,
    timeLimit: limitFrom(spec.maxTimeMs, event.at),
    crashes: 0,
    stuck: 0,
    missing: [],
  }
  const note = waiting.length ? null : event.into ? NO_NOTE : RESUMED_NOTE
  const next = nextTurn(event.into ? inPane(again) : again, event, note, ['max-time', 'crash-wait'])
  return { ...next, effects: [...(next.effects ?? []), ...limitTimer(next.state)] }
}

/** A turn that runs is ended first; one that was cut off goes on in the pane at once. */
function takenOver(state: SessionRun, event: Stamped<RunEventOf<'resume-requested'>>): Decision<SessionRun> {
  if (state.spec.driver === 'pane') return { state }
  const given: SessionRun = { ...state, environment: event.environment }
  if (state.turn.state !== 'ended') return endTurn(given, 'takeover')
  return nextTurn(inPane(given), event, TAKEN_OVER_NOTE, ['crash-wait', 'limit-wait'])
}
