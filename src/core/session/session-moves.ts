import { type Stamped, TimerName } from '../../contract/event.ts'
import type { TextRef } from '../../contract/ids.ts'
import type { Cause, RunStatus } from '../../contract/run.ts'
import type { Effect } from '../effect.ts'
import type { Decision } from '../machine.ts'
import { CUT_OFF_NOTE, LOST_NOTE } from '../notes.ts'
import { promptHead } from '../prompt.ts'
import { EARLIER_KEPT, type SessionRun, type Turn, type TurnSummary, UNANSWERED_KEPT } from './session-state.ts'

/** The moves that several decisions of a session share. */

const ALL_TIMERS = TimerName.options

/**
 * The first reason to end a turn wins, but for a cancel: nothing that we began ourselves may outrank a person. Nor does a
 * session go on, after a turn that is being ended, whose time is up meanwhile.
 */
export function endTurn(state: SessionRun, why: NonNullable<Turn['ending']>): Decision<SessionRun> {
  const { turn, spec } = state
  if (turn.state === 'ended') return { state }
  const asked = turn.ending !== null
  const goesOn = turn.ending === 'stuck' || turn.ending === 'takeover'
  const ending = why === 'cancel' || (why === 'time' && goesOn) ? why : (turn.ending ?? why)
  const next = withTurn(state, { ending })
  if (asked) return next
  return { ...next, effects: [{ do: 'end-session', turn: turn.n, session: spec.session, endGraceMs: spec.endGraceMs }] }
}

/** Where a person sits questions may be asked. */
export function inPane(state: SessionRun): SessionRun {
  return { ...state, spec: { ...state.spec, driver: 'pane', noQuestions: false } }
}

export function nextTurn(
  state: SessionRun,
  event: Stamped,
  note: string | null,
  forget: TimerName[],
): Decision<SessionRun> {
  const n = state.turn.n + 1
  const next: SessionRun = {
    ...state,
    status: 'active',
    cause: null,
    endedAt: null,
    turn: newTurn(n, `${state.id}:${event.seq}:0`, state.waiting),
    earlier: [...state.earlier, summarise(state.turn)].slice(-EARLIER_KEPT),
    waiting: [],
  }
  return { state: next, effects: [runSession(next, note, state.waiting)], forget }
}

export function end(state: SessionRun, at: number, status: RunStatus, cause: Cause): Decision<SessionRun> {
  return { state: { ...state, status, cause, endedAt: at }, forget: ALL_TIMERS }
}

/** A paused run has no clock: `resume` gives it its limits anew. */
export function pause(state: SessionRun, cause: Cause): Decision<SessionRun> {
  return { state: { ...state, status: 'paused', cause }, forget: ALL_TIMERS }
}

export function runSession(state: SessionRun, note: string | null, messages: string[] = []): Effect {
  const { spec, turn } = state
  const head = promptHead(state.id, state.label, turn.n - state.firstTurn + 1)
  return {
    do: 'run-session',
    turn: turn.n,
    spec,
    fresh: {
      head,
      note: wasStarted(state) ? LOST_NOTE : null,
      texts: [state.prompt, ...(state.unanswered ?? []), ...messages],
    },
    // A transcript where none was expected: we were cut off before we could write the start down.
    resumed: { head, note: note ?? (messages.length ? null : CUT_OFF_NOTE), texts: messages },
  }
}

/** What people said and no session has heard, in the order in which they said it. */
export function unheard(state: SessionRun): TextRef[] {
  return isHeard(state) ? state.waiting : [...state.turn.given, ...state.waiting]
}

/** What no turn has answered, when a turn has heard these texts as well. */
export function withUnanswered({ unanswered }: SessionRun, texts: TextRef[]): TextRef[] | null {
  return unanswered && [...unanswered, ...texts].slice(-UNANSWERED_KEPT)
}

export function isHeard({ turn, spec }: SessionRun): boolean {
  return turn.heard || (spec.driver === 'pane' && turn.state === 'running')
}

export function newTurn(n: number, effect: string, given: TextRef[] = []): Turn {
  return {
    n,
    state: 'starting',
    effect,
    pid: null,
    startedAt: null,
    endedAt: null,
    heard: false,
    reportedTo: 0,
    outputBytes: null,
    result: null,
    given,
    ending: null,
    stopped: null,
    takenOver: false,
    ownSince: 0,
    exit: null,
  }
}

/** True when an earlier turn of this session started a client. A turn that was ended while it waited for a place did not. */
export function wasStarted({ earlier, firstTurn }: SessionRun): boolean {
  return earlier.some(({ n, pid }) => n >= firstTurn && pid !== null && pid > 0)
}

export function withTurn(state: SessionRun, change: Partial<Turn>): { state: SessionRun } {
  return { state: { ...state, turn: { ...state.turn, ...change } } }
}

function summarise(turn: Turn): TurnSummary {
  const { n, startedAt, endedAt, exit, pid, outputBytes } = turn
  return { n, startedAt, endedAt, exit, pid, outputBytes, costUsd: turn.costUsd ?? turn.result?.costUsd ?? 0 }
}
