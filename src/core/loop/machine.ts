import type { RunCreatedOf, RunEventOf, Stamped } from '../../contract/event.ts'
import type { TextRef } from '../../contract/ids.ts'
import { ENDED } from '../../contract/run.ts'
import type { Effect } from '../effect.ts'
import { beginning, type Decision, type Machine } from '../machine.ts'
import { begin, sessionMachine } from '../session/machine.ts'
import { type SessionRun, WAITING_KEPT } from '../session/state.ts'
import { costOf } from '../session/view.ts'
import { clockStarted, clockStopped, limitFrom, limitStarted, limitStopped, limitTimer } from '../time-limit.ts'
import { afterIteration, afterJudge, afterWard } from './after-iteration.ts'
import { ledgerOf } from './ledger.ts'
import { closing, costLeft, end, endKept, goOn, nextNumber, pause, prepare, wishedEnd } from './moves.ts'
import { isAway, tryAgain } from './outage.ts'
import { sessionStopped } from './session-stopped.ts'
import { type Iteration, type LoopRun, notesWith } from './state.ts'

/** A loop: open, ward the base, then prepare, run and close one iteration after the other until something ends it. */
export const loopMachine: Machine<LoopRun> = { create, decide }

function create(event: Stamped<RunCreatedOf<'loop'>>): Decision<LoopRun> {
  const { spec, loop, at } = event
  const state: LoopRun = {
    kind: 'loop',
    ...beginning(event),
    timeLimit: limitFrom(spec.maxTimeMs, at),
    loop,
    phase: 'opening',
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
    waitsUntil: null,
    outage: null,
    costUsd: 0,
    given: [],
    failures: null,
    blocks: 0,
    ending: null,
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
      if (state.phase !== 'opening') return { state }
      return state.wish === 'reject' ? end(state, event.at, 'cancelled', 'rejected') : pause(state, event.cause)
    case 'iteration-prepared':
      return prepared(state, event)
    case 'project-not-found':
      return projectNotFound(state, event.at)
    case 'tree-not-kept':
      return endUnkept(state, event.at) ?? { state }
    case 'iteration-closed':
      return state.phase === 'closing' ? afterIteration(state, event.facts, event.at) : { state }
    case 'warded':
      return warded(state, event)
    case 'judged':
      return state.phase === 'judging' ? afterJudge(state, event.judgement, event.at) : { state }
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
      return stop(state, event, 'cancel')
    case 'pause-requested':
      return stop(state, event, 'pause')
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
  if (state.phase !== 'opening') return { state }
  const ledger = { tree: event.ledger, seen: ledgerOf(event.ledger, state), unmovedFor: 0 }
  const next: LoopRun = { ...state, isOpen: true, base: event.base, ledger, notes: notesWith(state, event.notes) }
  if (state.wish === 'cancel') return end(next, event.at, 'cancelled', 'cancelled')
  if (!state.loop.ward) return goOn(next, event.at)
  return { state: { ...next, phase: 'basing' }, effects: [warding(0, event.base)] }
}

function warding(iteration: number, at: LoopRun['base']): Effect {
  return { do: 'run-ward', iteration, commit: at?.commit ?? null, tree: at?.tree ?? null }
}

/** Moved, or not mounted: nothing is made where it was. */
function projectNotFound(state: LoopRun, at: number): Decision<LoopRun> {
  return endUnkept(state, at) ?? (state.status === 'active' ? pause(state, 'project-missing') : { state })
}

/** A run that is to end ends, also when what its last session left cannot be kept. */
function endUnkept(state: LoopRun, at: number): Decision<LoopRun> | null {
  if (state.wish === 'cancel') return end(state, at, 'cancelled', 'cancelled')
  if (state.ending) return end(state, at, state.ending.status, state.ending.cause)
  return state.wish === 'reject' ? end(state, at, 'cancelled', 'rejected') : null
}

function warded(state: LoopRun, event: Stamped<RunEventOf<'warded'>>): Decision<LoopRun> {
  const { outcome, iteration, at } = event
  const next: LoopRun = { ...state, lastWard: { ...outcome, iteration } }
  if (state.phase === 'warding') return afterWard(next, outcome, at)
  if (state.phase !== 'basing') return { state }
  // What cannot be run on the base may run later, when an agent has made it: then there is nothing to compare with.
  const baseRed = outcome.result === 'could-not-run' ? [] : outcome.failing
  const { tree } = state.ledger
  return goOn({ ...next, baseRed, ledger: { tree, seen: ledgerOf(tree, next), unmovedFor: 0 } }, at)
}

function prepared(from: LoopRun, event: Stamped<RunEventOf<'iteration-prepared'>>): Decision<LoopRun> {
  if (from.phase !== 'preparing') return { state: from }
  if (from.wish === 'pause') return pause(from, 'paused-by-user')
  const { session, prompt, iteration: n, at, seq } = event
  // What a session cost that was at rest when its run was ended is not gone with it.
  const unpaidUsd = from.session ? costOf(from.session) : 0
  const state: LoopRun = { ...from, costUsd: from.costUsd + unpaidUsd }
  const { id, request, environment, loop } = state
  const turn = (state.session?.turn.n ?? 0) + 1
  const spec = { ...state.spec, session, endsWithTurn: true, maxTimeMs: null, maxCostUsd: costLeft(state) }
  const label = { role: loop.role, iteration: n, ...(loop.task && { task: loop.task.id }) }
  const begun = begin({ id, request, spec, prompt, environment, at, seq, label, turn })
  const before = state.iterations.find(other => other.n === n)
  const others = state.iterations.filter(other => other !== before)
  const iteration: Iteration = {
    n,
    session,
    firstTurn: turn,
    lastTurn: turn,
    startedAt: before?.startedAt ?? at,
    endedAt: null,
    outcome: 'running',
    facts: null,
    claim: null,
    ward: null,
    verdict: null,
    because: null,
    moved: null,
    costUsd: (before?.costUsd ?? 0) + unpaidUsd,
    markedWrong: null,
  }
  const next: LoopRun = {
    ...state,
    phase: 'running',
    session: begun.state,
    iterations: [...others, iteration],
    notes: notesWith(state, event.notes),
  }
  return { ...begun, state: next }
}

/** What concerns the session is the session's to decide; when it has come to a stop, it is ours again. */
function inSession(state: LoopRun, event: Stamped): Decision<LoopRun> {
  if (!state.session) return { state }
  const decision = sessionMachine.decide(state.session, event)
  return withSession(state, decision, event)
}

function withSession(state: LoopRun, decision: Decision<SessionRun>, event: Stamped): Decision<LoopRun> {
  const session = decision.state
  const next: LoopRun = { ...state, session }
  // Its time limit is the loop's: a session that ends does not take it along.
  const forget = (decision.forget ?? []).filter(name => name !== 'max-time')
  const passed: Decision<LoopRun> = { ...decision, state: next, forget }
  // Once it is over, what still comes of it takes over nothing.
  const mayTake = next.status === 'active' && state.phase === 'running' && state.wish !== 'cancel'
  if (session.turn.takenOver && mayTake) {
    // Nobody can say how long they stay.
    const timeLimit = limitStopped(next.timeLimit, event.at)
    const theirs: LoopRun = { ...next, status: 'paused', cause: 'taken-over', timeLimit }
    return { ...passed, state: theirs, forget: [...forget, 'max-time'] }
  }
  if (state.phase !== 'running') return passed
  if (session.status === 'active') return cutOff(next, state.session!, event) ?? passed
  // Whoever took it over has closed it: what they left is looked at, and then it waits for them.
  const isTheirs = state.cause === 'taken-over'
  const theirs: LoopRun = { ...next, status: 'active', cause: null, wish: next.wish ?? 'pause' }
  return sessionStopped(isTheirs ? { ...passed, state: theirs } : passed, event)
}

/** It would go on, at once or after a wait, and its loop is to end: it ends here. */
function cutOff(state: LoopRun, before: SessionRun, event: Stamped): Decision<LoopRun> | null {
  const session = state.session!
  const isCutOff = session.turn.state === 'ended' || session.turn.n !== before.turn.n
  const wished = wishedEnd(state)
  if (!wished || !isCutOff) return null
  const turn = { ...before.turn, state: 'ended' as const, endedAt: event.at }
  const last = { ...session, turn, earlier: before.earlier }
  return endKept({ ...state, session: last }, event.at, wished.status, wished.cause)
}

/** Typed into a pane that is there; else it waits for the next prompt. */
function told(state: LoopRun, event: Stamped<RunEventOf<'told'>>): Decision<LoopRun> {
  const turn = state.session?.turn
  const isPane = state.spec.driver === 'pane' && state.phase === 'running' && turn?.state === 'running' && !turn.ending
  if (isPane) return inSession({ ...state, given: [...state.given, event.text].slice(-WAITING_KEPT) }, event)
  return { state: waitingFor(state, event.text) }
}

/** A blocked run goes on with the answer in its next prompt; one that is complete was asked about its checks only. */
function answered(state: LoopRun, text: TextRef, at: number): Decision<LoopRun> {
  if (ENDED.has(state.status)) return { state: { ...state, changesSeen: true } }
  const next = waitingFor(state, text)
  if (state.status !== 'blocked') return { state: next }
  const timeLimit = limitStarted(state.timeLimit, at)
  return preparedAnew({ ...next, status: 'active', cause: null, timeLimit, freshStarts: 0, outage: null })
}

/** After a rest, in which no time limit ran. */
function preparedAnew(state: LoopRun): Decision<LoopRun> {
  const next = prepare(state, nextNumber(state))
  return { ...next, effects: [...(next.effects ?? []), ...limitTimer(state)] }
}

function stop(state: LoopRun, event: Stamped, wish: 'cancel' | 'pause'): Decision<LoopRun> {
  if (ENDED.has(state.status)) return { state }
  if (state.phase === 'running' && state.session?.status === 'active') {
    const kept = wish === 'cancel' ? { ...state, wish } : state
    // Somebody types there: what they do is not ours to end for a pause.
    if (wish === 'pause' && state.cause === 'taken-over') return { state }
    return inSession({ ...kept, status: 'active', cause: null }, event)
  }
  // A checkpoint is short, and half of one would be in the way of the next.
  if (wish === 'cancel' && state.phase === 'closing' && state.status === 'active') return { state: { ...state, wish } }
  if (wish === 'cancel') return endKept(state, event.at, 'cancelled', 'cancelled')
  if (state.status !== 'active') return pause(state, 'paused-by-user')
  // What is being done now (a checkpoint, a ward) is short and safe: it is finished first.
  if (state.phase === 'waiting') return pause(state, 'paused-by-user')
  return { state: { ...state, wish: strongest(state.wish, wish) } }
}

/** Of two wishes that cannot both be done. */
function strongest(one: LoopRun['wish'], other: LoopRun['wish']): LoopRun['wish'] {
  return (['cancel', 'reject', 'time', 'pause'] as const).find(wish => wish === one || wish === other) ?? null
}

// No session works then.
const BETWEEN: ReadonlySet<LoopRun['phase']> = new Set(['waiting', 'preparing', 'warding', 'judging'])

/** It ends after this iteration; where none runs, now. */
function rejected(state: LoopRun, at: number): Decision<LoopRun> {
  if (ENDED.has(state.status)) return { state }
  const isCutOff = state.phase === 'running' && state.session?.turn.state === 'ended'
  const isTheirs = state.cause === 'taken-over' && state.phase === 'running'
  const isBusy = state.status === 'active' && !BETWEEN.has(state.phase)
  if ((isTheirs || isBusy) && !isCutOff) return { state: { ...state, wish: strongest(state.wish, 'reject') } }
  return endKept(state, at, 'cancelled', 'rejected')
}

/** The same session goes on, unless it was left by the model. */
function limitIsOver(state: LoopRun, event: Stamped): Decision<LoopRun> {
  if (state.phase !== 'waiting' || state.status !== 'active') return { state }
  if (isAway(state)) return tryAgain(state)
  return inSession({ ...state, phase: 'running', waitsUntil: null }, event)
}

function timeIsUp(state: LoopRun, event: Stamped): Decision<LoopRun> {
  if (ENDED.has(state.status)) return { state }
  const late: LoopRun = { ...state, wish: strongest(state.wish, 'time') }
  // A turn that is being ended already ends for its first reason: then the loop has to know.
  if (state.phase === 'running' && state.session) return inSession(late, event)
  // The iteration is paid for: it is closed first.
  if (state.phase === 'closing') return { state: late }
  return endKept(state, event.at, 'over-budget', 'max-time')
}

/** Goes on where it stood: with its session when that was only stopped, else with the next iteration and limits anew. */
function resumed(state: LoopRun, event: Stamped<RunEventOf<'resume-requested'>>): Decision<LoopRun> {
  if (state.status === 'active') return { state }
  const { at, environment } = event
  const said = heardOnResume(state, event)
  const again: LoopRun = {
    ...said,
    spec: { ...said.spec, noQuestions: event.noQuestions ?? said.spec.noQuestions },
    environment,
    status: 'active',
    cause: null,
    endedAt: null,
    wish: null,
    freshStarts: 0,
    limitWaits: 0,
    waitsUntil: null,
    outage: null,
  }
  if (state.cause === 'taken-over' && state.session?.status === 'active') return givenBack(again, event)
  const armed: LoopRun = { ...again, timeLimit: limitFrom(again.spec.maxTimeMs, at) }
  if (state.cause === 'project-missing') return backAgain(armed, event)
  if (state.status === 'paused') return unpaused(armed, event)
  if (state.status === 'blocked') return preparedAnew(armed)
  const anew: LoopRun = {
    ...armed,
    armedAt: state.iteration,
    paidBeforeUsd: state.costUsd,
    ledger: { ...state.ledger, unmovedFor: 0 },
    sameEnd: { end: null, times: 0 },
    refused: { claims: 0, allByBase: true },
    anchorChanges: 0,
    errors: [],
  }
  if (!state.isOpen) {
    return { state: { ...anew, phase: 'opening' }, effects: [{ do: 'open-loop' }, ...limitTimer(anew)] }
  }
  const next = prepare(anew, nextNumber(state), { reopen: true })
  return { ...next, effects: [...(next.effects ?? []), ...limitTimer(anew)] }
}

/** A pool sends its worker on with what came of its work; people leave a message. */
function heardOnResume(state: LoopRun, { text, by, from }: RunEventOf<'resume-requested'>): LoopRun {
  const { loop } = state
  const disposable = loop.disposable && from ? { ...loop.disposable, commit: from } : loop.disposable
  if (by !== undefined)
    return { ...state, loop: { ...loop, disposable }, resumedBy: by, failures: text ?? state.failures }
  return text ? waitingFor(state, text) : state
}

/** What could not be done without the project is done now. */
function backAgain(state: LoopRun, event: Stamped<RunEventOf<'resume-requested'>>): Decision<LoopRun> {
  const { phase, session, iteration } = state
  const limit = limitTimer(state)
  if (phase === 'closing' && session) return { state, effects: [closing(iteration, session), ...limit] }
  if (phase === 'basing') return { state, effects: [warding(0, state.base), ...limit] }
  if (phase === 'warding') {
    const checkpoint = state.iterations.at(-1)?.facts?.checkpoint ?? null
    return { state, effects: [warding(iteration, checkpoint), ...limit] }
  }
  return unpaused(state, event)
}

function unpaused(state: LoopRun, event: Stamped<RunEventOf<'resume-requested'>>): Decision<LoopRun> {
  const limit = limitTimer(state)
  if (state.phase === 'opening') return { state, effects: [{ do: 'open-loop' }, ...limit] }
  if ((state.phase !== 'running' && state.phase !== 'waiting') || !state.session || isAway(state)) {
    return preparedAnew(state)
  }
  // Its session hears what was said as part of its own next turn.
  const session = { ...state.session, status: 'paused' as const, waiting: [...state.session.waiting, ...state.waiting] }
  const decision = sessionMachine.decide(session, { ...event, text: null })
  const given = [...state.given, ...state.waiting]
  const next = withSession({ ...state, phase: 'running', waiting: [], given }, decision, event)
  return { ...next, effects: [...(next.effects ?? []), ...limit] }
}

/** The person has left the pane: when its turn is over already, nothing else will say so. */
function givenBack(state: LoopRun, event: Stamped): Decision<LoopRun> {
  const session = state.session!
  const turn = { ...session.turn, takenOver: false, ownSince: event.at }
  const timeLimit = limitStarted(state.timeLimit, event.at)
  const next: LoopRun = { ...state, timeLimit, session: { ...session, turn } }
  const limit = limitTimer(next)
  if (!turn.stopped) return { state: next, effects: limit }
  const report = { kind: 'stopped' as const, offset: turn.reportedTo + 1, running: turn.stopped.running }
  const over = inSession(next, { ...event, type: 'session-reported', effect: turn.effect, turn: turn.n, report })
  return { ...over, effects: [...(over.effects ?? []), ...limit] }
}

function waitingFor(state: LoopRun, text: TextRef): LoopRun {
  return { ...state, waiting: [...state.waiting, text].slice(-WAITING_KEPT) }
}
