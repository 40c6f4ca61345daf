import type { AgentDetail } from '../../contract/agent-detail.ts'
import { runningBackground } from './agent-status.ts'
import { agentSummary } from './agent-summary.ts'
import type { AgentFacts } from './facts.ts'
import { isMismatch } from './role.ts'

type FromFacts = Omit<AgentDetail, 'branch' | 'questions' | 'history'>

/** The agent with everything below it. */
export function agentDetail(facts: AgentFacts, now: number, iso: (ms: number) => string): FromFacts {
  const { input, output, cacheRead, cacheWrite } = facts.usage
  const summary = agentSummary(facts, now, iso)
  return {
    ...summary,
    effort: facts.effort,
    permissionMode: facts.permissionMode,
    pid: facts.pid,
    entrypoint: facts.entrypoint,
    transcript: facts.transcript || null,
    tools: facts.tools.map(({ words, at, agentId }) => ({ words, since: iso(at), subagent: agentId })),
    recentTools: facts.recent.map(({ words, at, ms, failed }) => ({ words, endedAt: iso(at), ms, failed })),
    files: facts.files,
    subagentTree: facts.subagents.map(({ id, type, at, endedAt }) => ({
      id,
      type,
      since: iso(at),
      endedAt: endedAt === null ? null : iso(endedAt),
      tools: facts.tools.filter(({ agentId }) => agentId === id).map(({ words }) => words),
    })),
    compactions: facts.compactions,
    usage: { input, output, cacheRead, cacheWrite },
    teamRole: facts.team && { agentName: facts.team.agentName, agentType: facts.team.agentType },
    mates: facts.mates.map(({ name, idle, shutdownAsked }) => ({ name, idle, shutdownAsked })),
    tasks: facts.tasks,
    roleMismatch: isMismatch(summary.role, summary.observedRole),
    background: runningBackground(facts).map(({ description, type }) => description || type),
    lastMessage: facts.lastMessage || null,
    unknownEvents: facts.unknown,
  }
}
