import type { AgentSummary } from '../../contract/agent.ts'
import { statusOf } from './agent-status.ts'
import type { AgentFacts } from './facts.ts'
import { observedRole } from './role.ts'

/** The agent as scripts and faces see it. `iso` comes from outside: core has no dates. */
export function agentSummary(facts: AgentFacts, now: number, iso: (ms: number) => string): AgentSummary {
  const { status, reason, doing, since, unsure } = statusOf(facts, now)
  const { usage } = facts
  return {
    id: facts.session,
    session: facts.session,
    status,
    reason,
    doing,
    since: since === null ? null : iso(since),
    unsure,
    project: facts.project || facts.cwd,
    cwd: facts.cwd,
    pane: facts.pane,
    model: facts.model,
    run: facts.run,
    role: facts.role,
    observedRole: observedRole(facts.recent),
    tool: facts.tools.find(({ agentId }) => agentId === '')?.words ?? null,
    subagents: facts.subagents.filter(({ endedAt }) => endedAt === null).length,
    tokens: usage.input + usage.output + usage.cacheRead + usage.cacheWrite,
    contextTokens: usage.context,
    costUsd: Math.round((usage.saidUsd + usage.sinceUsd) * 1e6) / 1e6,
    team: facts.team?.name || facts.mates[0]?.team || null,
    startedAt: iso(facts.startedAt),
    updatedAt: iso(facts.updatedAt),
  }
}
