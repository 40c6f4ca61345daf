import { statusOf } from './agent-status.ts'
import type { AgentFacts } from './facts.ts'

// A build or a test suite says nothing for long. Too short ends work that goes on (bad); too long waits (cheap).
const TIMES_WHILE_A_TOOL_RUNS = 6

/** For how long a session that should do something has said and done nothing, and the last sign of life before that. */
export type Silence = { sign: string; ms: number }

export const NO_SILENCE: Silence = { sign: '', ms: 0 }

/**
 * One look further. Only time in which it should have moved counts: not while somebody is asked, nor between turns. An
 * agent that nothing is known of (null) was started and has not said a word.
 */
export function listen(
  before: Silence,
  { facts, lines, passedMs, now }: { facts: AgentFacts | null; lines: number; passedMs: number; now: number },
): Silence {
  const sign = `${lines} ${facts?.updatedAt ?? 0}`
  const isSilent = sign === before.sign && shouldMove(facts, now)
  return { sign, ms: isSilent ? before.ms + passedMs : 0 }
}

export function isStuck({ ms }: Silence, facts: AgentFacts | null, afterMs: number): boolean {
  return ms >= afterMs * (facts?.tools.length ? TIMES_WHILE_A_TOOL_RUNS : 1)
}

function shouldMove(facts: AgentFacts | null, now: number): boolean {
  if (!facts) return true
  const { status } = statusOf(facts, now)
  return status === 'working' || status === 'starting' || status === 'compacting'
}
