import type { SessionReport } from '../../contract/event.ts'
import type { StreamLine } from '../../contract/stream.ts'
import type { ResultWhy } from './session-state.ts'

// A figure that no bill could have. It comes from a program that we do not trust, and a sum must stay a number.
const MOST_COST_USD = 1e9
// The year 3000: later would be no time that anything can be set to.
const LATEST_MS = 32_503_680_000_000

/** What a line of output means to the run, or null: most lines are for people to read, and decide nothing. */
export function reportOf(line: StreamLine, offset: number): SessionReport | null {
  switch (line.type) {
    case 'init':
      return { kind: 'init', offset, model: line.model.slice(0, 200) || null }
    case 'background-tasks':
      return { kind: 'background', offset, running: line.tasks.filter(task => task.status === 'running').length }
    case 'rate-limit':
      if (line.status !== 'rejected' || line.resetsAtMs === undefined) return null
      return { kind: 'limit', offset, resetsAtMs: Math.trunc(believable(line.resetsAtMs, LATEST_MS)) }
    case 'result': {
      const { isError, turns, costSinceUsd } = line
      // What the client calls the total is that of the whole session: added up over turns it would count twice.
      const costUsd = believableUsd(costSinceUsd)
      // It also holds what a turn had spent that was ended before its result.
      const totalUsd = believableUsd(line.costUsd)
      const why = whyOf(line)
      const answered = why === 'outage' || why === 'overloaded' ? { answered: (line.usage?.output ?? 0) > 0 } : {}
      return {
        kind: 'result',
        offset,
        isError,
        why,
        costUsd,
        turns: Math.trunc(believable(turns, 1e9)),
        totalUsd,
        ...answered,
      }
    }
    default:
      return null
  }
}

export function whyOf(line: Extract<StreamLine, { type: 'result' }>): ResultWhy {
  if (line.subtype === 'error_max_budget_usd') return 'max-cost'
  if (!line.isError) return 'ok'
  switch (line.apiErrorStatus) {
    case 429:
      return 'limit'
    case 529:
      return 'overloaded'
    case 401:
    case 403:
      return 'auth'
  }
  if (line.terminalReason === 'api_error' && LOGGED_OUT.test(line.text)) return 'auth'
  if ((line.apiErrorStatus ?? 0) >= 500 || OUTAGES.has(line.apiError ?? '')) return 'outage'
  return line.terminalReason === 'api_error' || line.apiErrorStatus !== undefined ? 'api-error' : 'client-error'
}

// The client asks nobody then, so there is no status: only its own sentence says it.
const LOGGED_OUT = /^Not logged in\b|\bPlease run \/login\b/

// Only what is known to go away by itself: whoever waits for anything else, a wrong model or an answer that was too long,
// waits in vain.
const OUTAGES: ReadonlySet<string> = new Set([
  'connection_failed',
  'no_response',
  'stream_idle_timeout',
  'computer_slept',
  'overloaded',
  'server_error',
])

export function believableUsd(figure: number): number {
  return believable(figure, MOST_COST_USD)
}

function believable(figure: number, most: number): number {
  return figure > 0 ? Math.min(figure, most) : 0
}
