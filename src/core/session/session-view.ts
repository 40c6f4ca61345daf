import type { Exit } from '../../contract/event.ts'
import { CAUSES, type RunDetail, type RunSummary } from '../../contract/run.ts'
import { type FromState, type Iso, summaryHead } from '../summary.ts'
import type { SessionRun } from './session-state.ts'

export function summaryOf(state: SessionRun, iso: Iso): RunSummary {
  return {
    ...summaryHead(state, iso),
    kind: state.kind,
    proven: null,
    project: state.spec.project,
    costUsd: costOf(state),
  }
}

export function detailOf(state: SessionRun, iso: Iso): FromState {
  const { spec } = state
  return {
    ...summaryOf(state, iso),
    sentence: sentenceOf(state),
    session: spec.session,
    driver: spec.driver,
    model: state.model ?? spec.model,
    turns: turnViews(state, iso),
    messagesWaiting: state.waiting.length,
  }
}

export function turnViews(state: SessionRun, iso: Iso): RunDetail['turns'] {
  const { turn, spec } = state
  const time = (ms: number | null) => (ms === null ? null : iso(ms))
  const earlier = state.earlier.map(old => ({
    turn: old.n,
    session: spec.session,
    state: 'ended' as const,
    pid: old.pid,
    startedAt: time(old.startedAt),
    endedAt: time(old.endedAt),
    exit: exitText(old.exit),
    costUsd: old.costUsd,
  }))
  const current = {
    turn: turn.n,
    session: spec.session,
    state: turn.ending && turn.state !== 'ended' ? ('ending' as const) : turn.state,
    pid: turn.pid,
    startedAt: time(turn.startedAt),
    endedAt: time(turn.endedAt),
    exit: exitText(turn.exit),
    costUsd: turn.costUsd ?? turn.result?.costUsd ?? 0,
  }
  return [...earlier, current]
}

/** Where it stands and why, for a person. */
export function sentenceOf(state: SessionRun): string {
  if (state.cause === 'needs-environment') return `${CAUSES[state.cause]}: ${state.missing.join(', ')}`
  if (state.cause === 'client-missing') return `${CAUSES[state.cause]}: ${state.missing.join(', ')}`
  if (state.cause) return CAUSES[state.cause]
  if (state.turn.ending === 'takeover') return 'the session is being moved into a pane'
  if (state.turn.ending) return 'the session is being ended'
  if (state.turn.state === 'starting') return 'the session is being started'
  if (state.turn.state === 'ended') return 'the session was cut off and will go on in a moment'
  return state.turn.result ? 'the turn has ended, background work is still running' : 'the session is working'
}

export function costOf(state: SessionRun): number {
  const running = state.turn.state === 'ended' ? 0 : (state.turn.result?.costUsd ?? 0)
  return Math.round((state.costUsd + running) * 1e6) / 1e6
}

/** What its turns that have ended cost, also what its loop has taken over. */
export function countedUsd({ costUsd, paidUsd }: SessionRun): number {
  return costUsd + paidUsd
}

function exitText(exit: Exit | null): string | null {
  if (!exit) return null
  return exit.how === 'exited' ? `exit ${exit.code}` : 'vanished'
}
