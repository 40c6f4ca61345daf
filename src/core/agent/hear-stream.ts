import { short } from '../../contract/short.ts'
import type { StreamLine } from '../../contract/stream.ts'
import { whyOf } from '../session/session-report.ts'
import { toolsEnded } from './ended-tools.ts'
import type { AgentFacts } from './facts.ts'

/** What a headless session's own output says about its start and the end of its turns: it has no hooks for these. */
export function hearStream(facts: AgentFacts, line: StreamLine, at: number): AgentFacts {
  switch (line.type) {
    case 'init':
      return {
        ...facts,
        heard: true,
        updatedAt: at,
        end: null,
        vanishedAt: null,
        model: line.model || facts.model,
        permissionMode: line.permissionMode || facts.permissionMode,
        turn: facts.turn.open ? facts.turn : { open: true, at },
      }
    case 'tool-results': {
      const ids = line.results.map(({ id }) => id)
      return { ...toolsEnded(facts, ids, at), updatedAt: at }
    }
    case 'background-tasks':
      return { ...facts, updatedAt: at, background: line.tasks.filter(({ status }) => status === 'running') }
    case 'result': {
      const closed: AgentFacts = {
        ...facts,
        updatedAt: at,
        turn: { open: false, at },
        tools: [],
        prompts: [],
        compactingSince: null,
      }
      const usage = { ...facts.usage, saidUsd: line.costUsd, sinceUsd: 0 }
      const lastMessage = short(line.text, 2000)
      if (!line.isError) return { ...closed, usage, lastMessage }
      return { ...closed, usage, lastMessage, end: { how: 'failed', why: failureOf(line), at } }
    }
    default:
      return facts
  }
}

/** The process has ended: a turn without a result was cut off, one with an error stays failed. */
export function hearExit(facts: AgentFacts, how: 'ended' | 'crashed' | 'stopped', at: number): AgentFacts {
  if (facts.end?.how === 'failed') return facts
  const closed: AgentFacts = {
    ...facts,
    turn: { open: false, at },
    tools: [],
    prompts: [],
    background: [],
    updatedAt: at,
  }
  if (how === 'crashed') return { ...closed, end: { how: 'failed', why: 'crash', at } }
  return { ...closed, end: { how: 'ended', why: how === 'stopped' ? 'stopped by rehoboam' : '', at } }
}

function failureOf(line: Extract<StreamLine, { type: 'result' }>): string {
  if (line.apiErrorStatus === 429) return 'rate_limit'
  const why = whyOf(line)
  if (why === 'auth') return 'authentication_failed'
  if (why === 'outage' || line.apiErrorStatus !== undefined) return 'server_error'
  return line.subtype === 'error_max_budget_usd' ? 'its cost limit' : 'error'
}
