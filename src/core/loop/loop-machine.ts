import type { RunCreatedOf, RunEventOf, Stamped } from '../../contract/event.ts'
import { beginning, type Decision, type Machine } from '../machine.ts'
import { clockStarted, clockStopped, limitFrom, limitTimer } from '../time-limit.ts'
import { afterIteration, afterJudge, afterWard } from './after-iteration.ts'
import { strongest, takenOver, wishOf, working } from './doing.ts'
import { inSession, prepared } from './in-session.ts'
import { answered, cancelled, paused, rejected, told } from './loop-by-hand.ts'
import { end, endKept, goOn, pause, warding } from './loop-moves.ts'
import { type LoopRun, notesWith } from './loop-state.ts'
import { isAway, tryAgain } from './outage.ts'
import { ledgerOf } from './progress-ledger.ts'
import { resumed } from './resume.ts'

/** A loop: open, ward the base, then prepare, run and close one iteration after the other until something ends it. */
export const loopMachine: Machine<LoopRun> = { create, decide }

function create(event: Stamped<RunCreatedOf<'loop'>>): Decision<LoopRun> {
  const { spec, loop, at } = event
  const state: LoopRun = {
    kind: 'loop',
    ...beginning(event),
    doing: { is: 'opening', wish: null },
    timeLimit: limitFrom(spec.maxTimeMs, at),
    loop,
    iteration: 0,
    armedAt: 0,
    session: null,
    iterations: [],
    criteria: Array.from({ length: loop.criteria }, () => 'UNKNOWN' as const),
    ledger: { tree: null, seen: null, unmovedFor: 0 },
    isOpen: false,
    sameEnd: { end: null, times: 0 },
    refused: { claims: 0, allByBase: true },
    anchorChanges: 0,
    errors: [],
    freshStarts: 0,
    limitWaits: 0,
    outage: null,
    costUsd: 0,
    given: [],
    failures: null,
    blocks: 0,
    changesSeen: false,
    resumedBy: null,
  }
  return { state, effects: [{ do: 'open-loop' }, ...limitTimer(state)] }
}

function decide(state: LoopRun, event: Stamped): Decision<LoopRun> {
  switch (event.type) {
    case 'loop-opened':
      return opened(state, event)
    case 'loop-not-opened':
      return notOpened(state, event)
    case 'iteration-prepared':
      return prepared(state, event)
    case 'project-not-found':
      return projectNotFound(state, event.at)
    case 'tree-not-kept':
      return endUnkept(state, event.at) ?? { state }
    case 'iteration-closed':
      return afterIteration(state, event.facts, event.at)
    case 'warded':
      return warded(state, event)
    case 'judged':
      return state.doing.is === 'judging' ? afterJudge(state, event.judgement, event.at) : { state }
    case 'session-end-delivered':
      return inSession({ ...state, notes: notesWith(state, event.left ? [event.left] : []) }, event)
    case 'clock-stopped':
      return clockStopped(state, event.at)
    case 'clock-started':
      return clockStarted(state, event.at)
    case 'told':
      return told(state, event)
    case 'answered':
      return answered(state, event.text, event.at)
    case 'cancel-requested':
      return cancelled(state, event)
    case 'pause-requested':
      return paused(state, event)
    case 'reject-requested':
      return rejected(state, event.at)
    case 'resume-requested':
      return resumed(state, event)
    case 'verdict-marked':
      return {
        state: {
          ...state,
          iterations: state.iterations.map(it => (it.n === event.iteration ? { ...it, markedWrong: event.why } : it)),
        },
      }
    case 'journal-repaired':
      return { state: { ...state, repairs: state.repairs + 1 } }
    case 'timer-fired':
      if (event.timer === 'max-time') return timeIsUp(state, event)
      if (event.timer === 'limit-wait') return limitIsOver(state, event)
      return inSession(state, event)
    case 'run-created':
      return { state }
    default:
      return inSession(state, event)
  }
}

function opened(state: LoopRun, event: Stamped<RunEventOf<'loop-opened'>>): Decision<LoopRun> {
  const { doing } = state
  if (doing.is !== 'opening') return { state }
  const ledger = { tree: event.ledger, seen: ledgerOf(event.ledger, state), unmovedFor: 0 }
  const next: LoopRun = { ...state, isOpen: true, base: event.base, ledger, notes: notesWith(state, event.notes) }
  if (!state.loop.ward) return goOn(next, event.at)
  return { state: { ...next, ...working({ ...doing, is: 'basing' }) }, effects: [warding(0, event.base)] }
}

function notOpened(state: LoopRun, { at, cause }: Stamped<RunEventOf<'loop-not-opened'>>): Decision<LoopRun> {
  if (state.doing.is !== 'opening') return { state }
  return state.doing.wish === 'reject' ? end(state, at, 'cancelled', 'rejected') : pause(state, cause)
}

/** Moved, or not mounted: nothing is made where it was. */
function projectNotFound(state: LoopRun, at: number): Decision<LoopRun> {
  return endUnkept(state, at) ?? (state.status === 'active' ? pause(state, 'project-missing', true) : { state })
}

/** Ends a run that is ending already, although nothing more can be kept of what its last session left. */
function endUnkept(state: LoopRun, at: number): Decision<LoopRun> | null {
  const { doing } = state
  if (doing.is === 'keeping') return end(state, at, doing.ending.status, doing.ending.cause)
  const wish = wishOf(doing)
  if (wish === 'cancel') return end(state, at, 'cancelled', 'cancelled')
  return wish === 'reject' ? end(state, at, 'cancelled', 'rejected') : null
}

function warded(state: LoopRun, event: Stamped<RunEventOf<'warded'>>): Decision<LoopRun> {
  const { outcome, iteration, at } = event
  const next: LoopRun = { ...state, lastWard: { ...outcome, iteration } }
  if (state.doing.is === 'warding') return afterWard(next, outcome, at)
  if (state.doing.is !== 'basing') return { state }
  // What cannot be run on the base may run later, when an agent has made it: then there is nothing to compare with.
  const baseRed = outcome.result === 'could-not-run' ? [] : outcome.failing
  const { tree } = state.ledger
  return goOn({ ...next, baseRed, ledger: { tree, seen: ledgerOf(tree, next), unmovedFor: 0 } }, at)
}

/** The same session goes on, unless it was left by the model. */
function limitIsOver(state: LoopRun, event: Stamped): Decision<LoopRun> {
  const { doing } = state
  if (doing.is !== 'waiting') return { state }
  if (isAway(state)) return tryAgain(state)
  return inSession({ ...state, ...working({ is: 'running', wish: doing.wish }) }, event)
}

function timeIsUp(state: LoopRun, event: Stamped): Decision<LoopRun> {
  const { doing } = state
  switch (doing.is) {
    case 'ended':
    case 'keeping':
      return { state }
    // A turn that is being ended already ends for its first reason: then the loop has to know.
    case 'running':
      return inSession({ ...state, ...working({ is: 'running', wish: strongest(doing.wish, 'time') }) }, event)
    case 'taken-over':
      return inSession({ ...state, ...takenOver(strongest(doing.wish, 'time')) }, event)
    // The iteration is paid for: it is closed first.
    case 'closing':
      return { state: { ...state, ...working({ is: 'closing', wish: strongest(doing.wish, 'time') }) } }
    default:
      return endKept(state, event.at, 'over-budget', 'max-time')
  }
}
