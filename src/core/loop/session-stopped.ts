import type { Stamped } from '../../contract/event.ts'
import type { Cause } from '../../contract/run.ts'
import { limitOver } from '../account.ts'
import type { Effect } from '../effect.ts'
import type { Decision } from '../machine.ts'
import { FRESH_NOTE } from '../notes.ts'
import type { SessionRun } from '../session/session-state.ts'
import { type Ending, wishedEnd, wishOf, working } from './doing.ts'
import { block, closing, endKept, paidFor, pause, pauseWish, prepare } from './loop-moves.ts'
import type { LoopRun } from './loop-state.ts'
import { isLostAgain, waitForModel } from './outage.ts'

/** The session of an iteration has come to a stop: what that means for the loop. */
export function sessionStopped(passed: Decision<LoopRun>, event: Stamped): Decision<LoopRun> {
  const state = passed.state
  const session = state.session!
  const merged = (decision: Decision<LoopRun>): Decision<LoopRun> => ({
    state: decision.state,
    effects: [...(passed.effects ?? []), ...(decision.effects ?? [])],
    forget: [...(passed.forget ?? []), ...(decision.forget ?? [])],
  })
  const ended = (status: Ending['status'], cause: Cause) => merged(endKept(state, event.at, status, cause))
  // Whatever stopped it: nobody wants it to go on. Who has paused it before its time was up gets it back with time anew.
  const wished = wishedEnd(state.doing)
  const wouldGoOn = session.status === 'failed' || (session.status === 'paused' && wishOf(state.doing) === 'reject')
  if (wished && wouldGoOn) return ended(wished.status, wished.cause)
  switch (session.status) {
    case 'complete':
      return merged(close(state, session, event.at))
    case 'paused':
      return merged(pause(state, session.cause ?? 'paused-by-user'))
    case 'cancelled':
      return ended('cancelled', 'cancelled')
    case 'over-budget':
      return ended('over-budget', session.cause ?? 'max-cost')
    case 'failed':
      return merged(failed(state, session, event))
    default:
      return passed
  }
}

function failed(state: LoopRun, session: SessionRun, event: Stamped): Decision<LoopRun> {
  switch (session.cause) {
    case 'limit':
      return waitForLimit(state, session, event)
    case 'overloaded':
    case 'outage':
      if (isLostAgain(state)) return close(state, session, event.at)
      return waitForModel(paidFor(state, session, event.at), event.at)
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
      return endKept(state, event.at, 'failed', session.cause ?? 'client-error')
  }
}

/** Not the agent's fault and not an iteration: the same session goes on when the limit is over. */
function waitForLimit(state: LoopRun, session: SessionRun, event: Stamped): Decision<LoopRun> {
  const atMs = limitOver(session.limitResetsAt, state.limitWaits, event.at)
  const timer: Effect = { do: 'set-timer', name: 'limit-wait', atMs }
  return {
    state: {
      ...state,
      ...working({ is: 'waiting', until: atMs, wish: pauseWish(state) }),
      limitWaits: state.limitWaits + 1,
      outage: null,
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
    ...working({ is: 'closing', wish: wishOf(state.doing) }),
    outage: null,
    given: [],
  }
  return { state: next, effects: [closing(state.iteration, session)] }
}
