import type { SessionReport } from '../../contract/event.ts'
import type { StreamLine } from '../../contract/stream.ts'
import type { ResultWhy } from './state.ts'

/** What a line of output means to the run, or null: most lines are for people to read, and decide nothing. */
export function reportOf(line: StreamLine, offset: number): SessionReport | null {
  switch (line.type) {
    case 'init':
      return { kind: 'init', offset, model: line.model.slice(0, 200) || null }
    case 'background-tasks':
      return { kind: 'background', offset, running: line.tasks.filter(task => task.status === 'running').length }
    case 'result': {
      const { isError, turns, costUsd } = line
      return { kind: 'result', offset, isError, why: whyOf(line), costUsd, turns }
    }
    default:
      return null
  }
}

function whyOf(line: Extract<StreamLine, { type: 'result' }>): ResultWhy {
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
  return line.terminalReason === 'api_error' || line.apiErrorStatus !== undefined ? 'api-error' : 'client-error'
}
