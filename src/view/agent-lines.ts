import type { AgentDetail } from '../contract/agent-detail.ts'
import { cutTo, plainBlock, plainLine, wrapTo } from './plain.ts'
import { table } from './run-words.ts'
import { agoWords, costWords, durationWords, numberOf, tokenWords } from './words.ts'

// The newest are what a person looks for; --json has all that is kept.
const TOOLS_SHOWN = 10
const FILES_SHOWN = 12
const LIST_SHOWN = 12
const MESSAGE_LINES = 12

/** One agent on a page: what it does and why, where, with what, what it asks, and what is below it. */
export function agentLines(agent: AgentDetail, now: number, columns = Number.POSITIVE_INFINITY): string[] {
  const since = (time: string) => now - Date.parse(time)
  const lines = [
    ...table(factsOf(agent, now)),
    ...section(
      'asks',
      agent.questions.flatMap(({ id, kind, text, since: at }) => {
        const what = `${id.slice(0, 8)}  ${kind}, ${agoWords(since(at))}: ${plainLine(text, 300)}`
        // That one says itself where it is answered.
        const how =
          kind === 'trust' ? '' : `  (rehoboam ${kind === 'permission' ? 'allow' : 'answer'} ${id.slice(0, 8)})`
        return wrapTo(what + how, columns - 2)
      }),
    ),
    ...section('tools', toolLines(agent, now)),
    ...section('subagents', treeLines(agent, now)),
    ...section(
      'background',
      agent.background.map(words => plainLine(words)),
    ),
    ...section(
      'tasks',
      agent.tasks.map(({ subject, done, begun, owner }) => {
        return `${done ? '[x]' : begun ? '[~]' : '[ ]'} ${plainLine(subject)}${owner ? ` (${plainLine(owner, 40)})` : ''}`
      }),
    ),
    ...section('team', mateLines(agent)),
    ...section(
      'files changed',
      newest(
        agent.files.map(path => plainLine(path, 400)),
        FILES_SHOWN,
      ),
    ),
    ...section('last message', messageLines(agent.lastMessage, columns - 2)),
  ]
  return lines.map(line => cutTo(line, columns))
}

function factsOf(agent: AgentDetail, now: number): [string, string][] {
  const line = (text: string | null, otherwise = '') => (text ? plainLine(text, 300) : otherwise)
  const mode = [line(agent.permissionMode), agent.effort && `effort ${line(agent.effort)}`].filter(Boolean).join(', ')
  const { input, output, cacheRead, cacheWrite } = agent.usage
  const facts: [string, string | null][] = [
    ['agent', agent.session],
    ['status', `${agent.status}: ${line(agent.reason)}`],
    ['unsure', agent.unsure && line(agent.unsure)],
    ['project', line(agent.project)],
    ['directory', agent.cwd === agent.project ? null : line(agent.cwd)],
    ['branch', agent.branch && line(agent.branch)],
    ['run', agent.run && `${agent.run}  (rehoboam show ${agent.run})`],
    ['role', roleWords(agent)],
    ['team', agent.team && [line(agent.team), line(agent.teamRole?.agentName ?? null)].filter(Boolean).join(', as ')],
    ['model', line(agent.model, 'not heard yet')],
    ['mode', mode || null],
    ['pane', agent.pane && `${line(agent.pane)}  (rehoboam open ${agent.session.slice(0, 8)})`],
    ['process', agent.pid === null ? null : `${agent.pid}${agent.entrypoint ? `, ${line(agent.entrypoint)}` : ''}`],
    [
      'started',
      `${agoWords(now - Date.parse(agent.startedAt))}, last heard ${agoWords(now - Date.parse(agent.updatedAt))}`,
    ],
    ['cost', costWords(agent.costUsd)],
    [
      'tokens',
      `${tokenWords(agent.tokens)}: ${tokenWords(input)} in, ${tokenWords(output)} out, ${tokenWords(cacheRead)} cache read, ${tokenWords(cacheWrite)} cache written`,
    ],
    [
      'context',
      `${tokenWords(agent.contextTokens)} tokens${agent.compactions ? `, compacted ${numberOf(agent.compactions, 'time')}` : ''}`,
    ],
    ['unknown', agent.unknownEvents.map(({ name, count }) => `${plainLine(name, 60)} (${count})`).join(', ') || null],
    ['transcript', agent.transcript && plainLine(agent.transcript, 4096)],
  ]
  return facts.filter((fact): fact is [string, string] => fact[1] !== null)
}

/** What it was declared to be, and what it is seen doing. */
function roleWords({ role, observedRole, roleMismatch }: AgentDetail): string | null {
  const declared = role ? `${plainLine(role, 60)}, declared` : null
  const observed = observedRole ? `${observedRole}, observed${roleMismatch ? ' (that does not fit)' : ''}` : null
  return [declared, observed].filter(Boolean).join('; ') || null
}

function toolLines(agent: AgentDetail, now: number): string[] {
  const own = agent.tools.filter(({ subagent }) => subagent === '')
  const running = own.map(
    ({ words, since }) => `running ${durationWords(now - Date.parse(since))}  ${plainLine(words, 300)}`,
  )
  const ended = agent.recentTools.map(({ words, ms, failed }) => {
    return `${failed ? 'failed' : 'done'} in ${durationWords(ms)}  ${plainLine(words, 300)}`
  })
  return [...newest(ended, TOOLS_SHOWN), ...running]
}

function treeLines(agent: AgentDetail, now: number): string[] {
  const shown = agent.subagentTree.slice(-LIST_SHOWN)
  const lines = shown.flatMap(({ id, type, since, endedAt, tools }) => {
    const took = durationWords((endedAt ? Date.parse(endedAt) : now) - Date.parse(since))
    const what = endedAt ? `ended after ${took}` : `working for ${took}`
    return [
      `${plainLine(type || 'subagent', 40)} ${plainLine(id, 12)}  ${what}`,
      ...tools.map(words => `  └ ${plainLine(words, 300)}`),
    ]
  })
  const more = agent.subagentTree.length - shown.length
  return more > 0 ? [`… ${more} older`, ...lines] : lines
}

function mateLines(agent: AgentDetail): string[] {
  return agent.mates.map(({ name, idle, shutdownAsked }) => {
    return `${plainLine(name, 60)}  ${idle ? 'idle' : 'working'}${shutdownAsked ? ', asked to shut down' : ''}`
  })
}

function messageLines(message: string | null, columns: number): string[] {
  if (!message?.trim()) return []
  const lines = plainBlock(message)
    .trim()
    .split('\n')
    .flatMap(line => wrapTo(line, columns))
  const more = lines.length - MESSAGE_LINES
  return more > 0 ? [...lines.slice(0, MESSAGE_LINES), `… ${more} more lines`] : lines
}

function newest(lines: string[], most: number): string[] {
  return lines.length > most ? [`… ${lines.length - most} older`, ...lines.slice(-most)] : lines
}

function section(title: string, lines: string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map(line => `  ${line}`)]
}
