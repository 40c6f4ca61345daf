import type { RunEventOf, Stamped } from '../../contract/event.ts'
import type { TextRef } from '../../contract/ids.ts'
import type { Decision } from '../machine.ts'
import { WAITING_KEPT } from '../session/session-state.ts'
import { limitStarted } from '../time-limit.ts'
import { strongest, takenOver, wishOf, working } from './doing.ts'
import { inSession } from './in-session.ts'
import { endKept, pause, preparedAnew, waitingFor } from './loop-moves.ts'
import type { LoopRun } from './loop-state.ts'

/** What people say to a loop, and what they ask of it. */

/** Typed into a pane that is there; else it waits for the next prompt. */
export function told(state: LoopRun, event: Stamped<RunEventOf<'told'>>): Decision<LoopRun> {
  const { doing, spec, session } = state
  const isOpen = (doing.is === 'running' || doing.is === 'taken-over') && session?.turn.state === 'running'
  if (spec.driver !== 'pane' || !isOpen || session.turn.ending) return { state: waitingFor(state, event.text) }
  return inSession({ ...state, given: [...state.given, event.text].slice(-WAITING_KEPT) }, event)
}

/** A blocked run goes on with the answer in its next prompt; one that is complete was asked about its checks only. */
export function answered(state: LoopRun, text: TextRef, at: number): Decision<LoopRun> {
  if (state.doing.is === 'ended') return { state: { ...state, changesSeen: true } }
  const next = waitingFor(state, text)
  if (state.status !== 'blocked') return { state: next }
  if (wishOf(state.doing) === 'pause') return pause(next, 'paused-by-user')
  const timeLimit = limitStarted(state.timeLimit, at)
  return preparedAnew({ ...next, timeLimit, freshStarts: 0, outage: null })
}

export function cancelled(state: LoopRun, event: Stamped): Decision<LoopRun> {
  const { doing } = state
  switch (doing.is) {
    case 'ended':
      return { state }
    case 'running':
    case 'taken-over':
      return inSession({ ...state, ...working({ is: 'running', wish: doing.wish }) }, event)
    // A checkpoint is short, and half of one would be in the way of the next.
    case 'closing':
      return { state: { ...state, ...working({ is: 'closing', wish: 'cancel' }) } }
    case 'keeping':
      return { state: { ...state, ...working({ is: 'keeping', ending: CANCELLED }) } }
    default:
      return endKept(state, event.at, 'cancelled', 'cancelled')
  }
}

const CANCELLED = { status: 'cancelled', cause: 'cancelled' } as const

export function paused(state: LoopRun, event: Stamped): Decision<LoopRun> {
  const { doing } = state
  switch (doing.is) {
    case 'ended':
    case 'keeping':
    // Somebody types there: what they do is not ours to end for a pause.
    case 'taken-over':
      return { state }
    case 'running':
      return inSession(state, event)
    case 'waiting':
      return pause(state, 'paused-by-user')
    case 'resting':
      return pause(state, 'paused-by-user', doing.isUndone)
    // What is being done now (a checkpoint, a ward) is short and safe: it is finished first.
    case 'opening':
    case 'basing':
      return { state: { ...state, ...working({ is: doing.is, wish: strongest(doing.wish, 'pause') }) } }
    case 'closing':
      return { state: { ...state, ...working({ is: 'closing', wish: strongest(doing.wish, 'pause') }) } }
    default:
      return { state: { ...state, ...working({ is: doing.is, wish: 'pause' }) } }
  }
}

/** It ends after this iteration; where none runs, now. */
export function rejected(state: LoopRun, at: number): Decision<LoopRun> {
  const { doing, session } = state
  switch (doing.is) {
    case 'ended':
    case 'keeping':
      return { state }
    case 'opening':
    case 'basing':
      return { state: { ...state, ...working({ is: doing.is, wish: 'reject' }) } }
    case 'closing':
      return { state: { ...state, ...working({ is: 'closing', wish: strongest(doing.wish, 'reject') }) } }
    case 'running':
    case 'taken-over':
      // A session that was cut off does not work any more.
      if (session?.turn.state === 'ended') break
      if (doing.is === 'taken-over') return { state: { ...state, ...takenOver('reject') } }
      return { state: { ...state, ...working({ is: 'running', wish: 'reject' }) } }
  }
  return endKept(state, at, 'cancelled', 'rejected')
}
