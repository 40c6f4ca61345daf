import type { AgentStatus, AgentSummary } from '../contract/agent.ts'
import { cutTo, plainLine } from './plain.ts'
import { table } from './run-words.ts'
import { agoWords, costWords } from './words.ts'

/** What needs a person first, then what works, then what rests. */
export const STATUS_ORDER: AgentStatus[] = [
  'attention',
  'failed',
  'working',
  'compacting',
  'background',
  'starting',
  'waiting',
  'gone',
  'done',
]

// What the other columns need when none is unusually long.
const BESIDE_REASON = 66

export function agentsTable(agents: AgentSummary[], now: number, columns = Number.POSITIVE_INFINITY): string[] {
  const sorted = agents.toSorted(
    (a, b) => STATUS_ORDER.indexOf(a.status) - STATUS_ORDER.indexOf(b.status) || a.startedAt.localeCompare(b.startedAt),
  )
  const rows = sorted.map(agent => [
    agent.session.slice(0, 8),
    `${agent.status}${agent.unsure ? '?' : ''}`,
    // On a narrow screen the reason gives way, so that the rest of the line stays.
    cutTo(plainLine(agent.reason, 60), Math.max(20, Math.min(60, columns - BESIDE_REASON))),
    plainLine(folder(agent.project), 24),
    agent.run ?? '',
    agent.subagents ? String(agent.subagents) : '',
    costWords(agent.costUsd),
    agoWords(now - Date.parse(agent.updatedAt)),
  ])
  const lines = table([['agent', 'status', 'why', 'project', 'run', 'subs', 'cost', 'heard'], ...rows], [5, 6])
  return lines.map(line => cutTo(line, columns))
}

/** How many of each, in words: "2 need you, 5 working". */
export function countWords(agents: AgentSummary[]): string {
  const counts = STATUS_ORDER.map(status => [status, agents.filter(agent => agent.status === status).length] as const)
  const words = counts
    .filter(([, count]) => count > 0)
    .map(([status, count]) => (status === 'attention' ? `${count} need you` : `${count} ${status}`))
  return words.join(', ') || 'no agents'
}

function folder(path: string): string {
  return path.split('/').filter(Boolean).at(-1) ?? path
}
