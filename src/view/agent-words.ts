import type { AgentStatus, AgentSummary } from '../contract/agent.ts'
import type { Question } from '../contract/inbox.ts'
import { plainLine } from './plain.ts'
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

export function agentsTable(agents: AgentSummary[], now: number): string[] {
  const sorted = agents.toSorted(
    (a, b) => STATUS_ORDER.indexOf(a.status) - STATUS_ORDER.indexOf(b.status) || a.startedAt.localeCompare(b.startedAt),
  )
  const rows = sorted.map(agent => [
    agent.session.slice(0, 8),
    `${agent.status}${agent.unsure ? '?' : ''}`,
    plainLine(agent.reason, 60),
    plainLine(folder(agent.project), 24),
    agent.run ?? '',
    agent.subagents ? String(agent.subagents) : '',
    costWords(agent.costUsd),
    agoWords(now - Date.parse(agent.updatedAt)),
  ])
  return table([['agent', 'status', 'why', 'project', 'run', 'subs', 'cost', 'heard'], ...rows], [5, 6])
}

export function inboxTable(questions: Question[], now: number): string[] {
  const rows = questions.flatMap(question => [
    [
      question.id.slice(0, 8),
      question.kind,
      agoWords(now - Date.parse(question.since)),
      plainLine(folder(question.project), 24),
      plainLine(question.text, 100),
    ],
    ...question.options.map((option, n) => ['', '', '', '', `  ${n + 1}  ${plainLine(option, 100)}`]),
    ...(question.why ? [['', '', '', '', `  ${plainLine(question.why, 100)}`]] : []),
  ])
  return table([['id', 'kind', 'asked', 'project', 'what'], ...rows])
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
