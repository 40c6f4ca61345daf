import type { AgentFacts } from './facts.ts'
import { LATE_MS } from './order.ts'

const KEPT = 100

/**
 * The end of these calls was told, by whomever: a hook, the transcript or a headless session's output. The hook of a
 * beginning may be heard later, and may even have been started later by its own clock: a process takes its time to begin.
 */
export function toolsEnded(facts: AgentFacts, ids: string[], at: number): AgentFacts {
  const ended = ids.filter(Boolean).map(id => ({ id, at }))
  return {
    ...facts,
    tools: facts.tools.filter(({ id }) => !ids.includes(id)),
    endedTools: [...facts.endedTools, ...ended].slice(-KEPT),
  }
}

/** True when a call that is said to begin is over already. Much later the same id would be another call. */
export function hasEnded({ endedTools }: AgentFacts, id: string, at: number): boolean {
  return endedTools.some(ended => ended.id === id && at - ended.at <= LATE_MS)
}
