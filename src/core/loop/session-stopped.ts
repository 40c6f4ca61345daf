import type { Stamped } from '../../contract/event.ts'
import { limitOver } from '../account.ts'
import type { Effect } from '../effect.ts'
import type { Decision } from '../machine.ts'
import type { SessionRun } from '../session/state.ts'
import { block, end, pause, prepare } from './moves.ts'
import type { LoopRun } from './state.ts'

const FRESH_NOTE =
  'An earlier session of this iteration was cut off again and again. Look at the state of the project first (files, git status), then go on.'

/** The session of an iteration has come to a stop: what that means for the loop. */
export function sessionStopped(passed: Decision<LoopRun>, event: Stamped): Decision<LoopRun> {
  const state = passed.state
  const session = state.session!
  const merged = (decision: Decision<LoopRun>): Decision<LoopRun> => ({
    state: decision.state,
    effects: [...(passed.effects ?? []), ...(decision.effects ?? [])],
    forget: [...(passed.forget ?? []), ...(decision.forget ?? [])],
  })
  switch (session.status) {
    case 'complete':
      return merged(close(state, session, event.at))
    case 'paused':
      return merged(pause(state, session.cause ?? 'paused-by-user'))
    case 'cancelled':
      return merged(end(paidFor(state, session, event.at), event.at, 'cancelled', 'cancelled'))
    case 'over-budget':
      return merged(end(paidFor(state, session, event.at), event.at, 'over-budget', session.cause ?? 'max-cost'))
    case 'failed':
      return merged(failed(state, session, event))
    default:
      return passed
  }
}

function failed(state: LoopRun, session: SessionRun, event: Stamped): Decision<LoopRun> {
  switch (session.cause) {
    case 'limit':
    case 'overloaded':
      return waitForLimit(state, session, event)
    case 'crashed':
      if (state.freshStarts === 0) {
        return prepare({ ...paidFor(state, session, event.at), freshStarts: 1 }, state.iteration, { note: FRESH_NOTE })
      }
      return block(paidFor(state, session, event.at), 'crashed', event.at)
    case 'stuck':
      return block(paidFor(state, session, event.at), 'stuck', event.at)
    case 'api-error':
    case 'client-error':
      return close(state, session, event.at)
    default:
      return end(paidFor(state, session, event.at), event.at, 'failed', session.cause ?? 'client-error')
  }
}

/** Not the agent's fault and not an iteration: the same session goes on when the limit is over. */
function waitForLimit(state: LoopRun, session: SessionRun, event: Stamped): Decision<LoopRun> {
  const atMs = limitOver(session.limitResetsAt, state.limitWaits, event.at)
  const timer: Effect = { do: 'set-timer', name: 'limit-wait', atMs }
  return {
    state: {
      ...state,
      phase: 'waiting',
      limitWaits: state.limitWaits + 1,
      waitsUntil: atMs,
      // It is only at rest.
      session: { ...session, status: 'active', cause: null, endedAt: null, limitResetsAt: null },
    },
    effects: [timer],
  }
}

/** The iteration is over: what it left is looked at. */
function close(state: LoopRun, session: SessionRun, at: number): Decision<LoopRun> {
  const next: LoopRun = {
    ...paidFor(state, session, at, session.status === 'failed' ? 'error' : 'finished'),
    phase: 'closing',
  }
  return { state: next, effects: [closing(state.iteration, session)] }
}

/** For the session that has come to its end. */
export function closing(iteration: number, { firstTurn, turn, spec, status, cause }: SessionRun): Effect {
  const error = status === 'failed' ? cause : null
  return { do: 'close-iteration', iteration, session: spec.session, firstTurn, lastTurn: turn.n, error }
}

/** What the session cost is the run's, also when the iteration is begun anew. */
function paidFor(
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
  return { ...state, iterations, costUsd: state.costUsd + session.costUsd, session: { ...session, costUsd: 0 } }
}
