import type { SessionReport } from '../../contract/event.ts'
import type { Decision } from '../machine.ts'
import { endTurn, withTurn, withUnanswered } from './session-moves.ts'
import type { SessionRun, Turn } from './session-state.ts'
import { countedUsd } from './session-view.ts'

// The user's own Stop hook may send a session on. Too short: it is ended while it goes on (bad). Too long: an iteration
// lasts longer (cheap).
const QUIET_MS = 1_000

/** What a session says of itself while it runs. */
export function reported(before: SessionRun, report: SessionReport, at: number): Decision<SessionRun> {
  // Output is read again after a restart: what was told before must not be paid for twice.
  if (report.offset <= before.turn.reportedTo) return { state: before }
  const unanswered = isAnswer(report) ? null : withUnanswered(before, before.turn.given)
  const state = { ...before, unanswered }
  const seen = { reportedTo: report.offset, heard: true, given: [] }
  switch (report.kind) {
    case 'init':
      return { ...withTurn({ ...state, model: report.model ?? state.model }, seen) }
    case 'background':
      if (report.running > 0 || !state.turn.result) return withTurn(state, seen)
      return { ...withTurn(state, seen), forget: ['background'] }
    case 'result': {
      const { isError, why, offset, answered } = report
      const saidUsd = (state.turn.result?.costUsd ?? 0) + report.costUsd
      const costUsd = Math.max(saidUsd, (report.totalUsd ?? 0) - countedUsd(state))
      // A quest's session that ends without a signal, again and again, is cut off again and again.
      const crashes = state.spec.questTools ? state.crashes : 0
      const next = withTurn(
        { ...state, crashes, stuck: 0 },
        {
          ...seen,
          result: { isError, why, costUsd, offset, ...(answered !== undefined && { answered }) },
        },
      )
      // The client stays while background work runs, for ever with a dev server: each result gives it the grace anew.
      const atMs = at + state.spec.backgroundGraceMs
      if (state.spec.driver === 'pane' && (state.spec.endsWithTurn || why === 'max-cost' || why === 'unpriced')) {
        return endTurn(next.state, 'finished')
      }
      return { ...next, forget: ['background'], effects: [{ do: 'set-timer', name: 'background', atMs }] }
    }
    case 'limit':
      return withTurn({ ...state, limitResetsAt: report.resetsAtMs }, seen)
    case 'stopped':
      return paneStopped(state, report.running, seen, at)
    case 'working':
      if (state.turn.signalled) return withTurn(state, seen)
      // It goes on after a stop: what ends it now has cut it off.
      return { ...withTurn(state, { ...seen, stopped: null, result: null }), forget: ['quiet', 'background'] }
    case 'taken-over':
      return { ...withTurn(state, { ...seen, takenOver: true, stopped: null }), forget: ['quiet', 'background'] }
  }
}

/** The client writes a message down before it answers it. An error may come before anything is written. */
function isAnswer(report: SessionReport): boolean {
  return report.kind === 'stopped' || (report.kind === 'result' && !report.isError)
}

/** Nobody talks to an iteration: it ends with its turn, once it is quiet, or when its background tasks have had their time. */
function paneStopped(state: SessionRun, running: number, seen: Partial<Turn>, at: number): Decision<SessionRun> {
  const result = { isError: false, why: 'ok' as const, costUsd: 0, offset: 0 }
  const crashes = state.spec.questTools ? state.crashes : 0
  const next = withTurn({ ...state, crashes, stuck: 0 }, { ...seen, stopped: { running }, result })
  if (!state.spec.endsWithTurn || state.turn.takenOver || state.turn.signalled) return next
  const atMs = at + (running > 0 ? state.spec.backgroundGraceMs : QUIET_MS)
  const name = running > 0 ? 'background' : 'quiet'
  return { ...next, forget: ['quiet', 'background'], effects: [{ do: 'set-timer', name, atMs }] }
}
