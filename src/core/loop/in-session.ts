import type { RunEventOf, Stamped } from '../../contract/event.ts'
import type { Decision } from '../machine.ts'
import { begin, sessionMachine } from '../session/session-machine.ts'
import type { SessionRun } from '../session/session-state.ts'
import { costOf } from '../session/session-view.ts'
import { limitStopped } from '../time-limit.ts'
import { takenOver, wishedEnd, working } from './doing.ts'
import { costLeft, endKept, pause } from './loop-moves.ts'
import { type Iteration, type LoopRun, notesWith } from './loop-state.ts'
import { sessionStopped } from './session-stopped.ts'

/** An iteration is prepared: its session begins. */
export function prepared(from: LoopRun, event: Stamped<RunEventOf<'iteration-prepared'>>): Decision<LoopRun> {
  if (from.doing.is !== 'preparing') return { state: from }
  if (from.doing.wish === 'pause') return pause(from, 'paused-by-user')
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
    ...working({ is: 'running', wish: null }),
    session: begun.state,
    iterations: [...others, iteration],
    notes: notesWith(state, event.notes),
  }
  return { ...begun, state: next }
}

/** What concerns the session is the session's to decide; when it has come to a stop, it is ours again. */
export function inSession(state: LoopRun, event: Stamped): Decision<LoopRun> {
  if (!state.session) return { state }
  const decision = sessionMachine.decide(state.session, event)
  return withSession(state, decision, event)
}

export function withSession(state: LoopRun, decision: Decision<SessionRun>, event: Stamped): Decision<LoopRun> {
  const session = decision.state
  const { doing } = state
  const next: LoopRun = { ...state, session }
  // Its time limit is the loop's: a session that ends does not take it along.
  const forget = (decision.forget ?? []).filter(name => name !== 'max-time')
  const passed: Decision<LoopRun> = { ...decision, state: next, forget }
  // What still comes of a session that has stopped changes nothing for its loop.
  if (doing.is !== 'running' && doing.is !== 'taken-over') return passed
  if (session.status !== 'active') {
    // Whoever took it over has closed it: what they left is looked at, and then it waits for them.
    const wish = doing.is === 'taken-over' ? (doing.wish ?? 'pause') : doing.wish
    return sessionStopped({ ...passed, state: { ...next, ...working({ is: 'running', wish }) } }, event)
  }
  // A session that is being cancelled cannot be taken over.
  if (doing.is === 'running' && session.turn.takenOver && session.turn.ending !== 'cancel') {
    // Nobody can say how long they stay.
    const timeLimit = limitStopped(next.timeLimit, event.at)
    return { ...passed, state: { ...next, ...takenOver(doing.wish), timeLimit }, forget: [...forget, 'max-time'] }
  }
  return cutOff(next, state.session!, event) ?? passed
}

/** It would go on, at once or after a wait, and its loop is to end: it ends here. */
function cutOff(state: LoopRun, before: SessionRun, event: Stamped): Decision<LoopRun> | null {
  const session = state.session!
  const isCutOff = session.turn.state === 'ended' || session.turn.n !== before.turn.n
  const wished = wishedEnd(state.doing)
  if (!wished || !isCutOff) return null
  const turn = { ...before.turn, state: 'ended' as const, endedAt: event.at }
  const last = { ...session, turn, earlier: before.earlier }
  return endKept({ ...state, session: last }, event.at, wished.status, wished.cause)
}
