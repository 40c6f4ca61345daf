import type { AgentStatus, AgentSummary } from '../contract/agent.ts'
import { cutTo, plainLine } from './plain.ts'
import { table } from './run-words.ts'
import { widthOf } from './width.ts'
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

const LONGEST_REASON = 60
const SHORTEST_REASON = 12

export function agentsTable(agents: AgentSummary[], now: number, columns = Number.POSITIVE_INFINITY): string[] {
  const sorted = agents.toSorted(
    (a, b) => STATUS_ORDER.indexOf(a.status) - STATUS_ORDER.indexOf(b.status) || a.startedAt.localeCompare(b.startedAt),
  )
  // Where nobody has any, the column would only take room from the others.
  const hasSubagents = agents.some(({ subagents }) => subagents > 0)
  const rowsWith = (longest: number) =>
    sorted.map(agent => [
      agent.session.slice(0, 8),
      `${agent.status}${agent.unsure ? '?' : ''}`,
      cutTo(plainLine(agent.reason, LONGEST_REASON), longest),
      plainLine(folder(agent.project), 24),
      agent.run ?? '',
      ...(hasSubagents ? [agent.subagents ? String(agent.subagents) : ''] : []),
      costWords(agent.costUsd),
      agoWords(now - Date.parse(agent.updatedAt)),
    ])
  const titles = ['agent', 'status', 'why', 'project', 'run', ...(hasSubagents ? ['subs'] : []), 'cost', 'heard']
  const lines = (longest: number) => table([titles, ...rowsWith(longest)], hasSubagents ? [5, 6] : [5])
  // On a narrow screen the reason gives way, so that the rest of the line stays.
  const wide = lines(LONGEST_REASON)
  const missing = Math.max(0, ...wide.map(widthOf)) - columns
  if (missing <= 0) return wide
  const reasons = Math.max(...rowsWith(LONGEST_REASON).map(row => widthOf(row[2] ?? '')))
  return lines(Math.max(SHORTEST_REASON, reasons - missing)).map(line => cutTo(line, columns))
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
