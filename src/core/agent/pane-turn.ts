import type { SessionReport } from '../../contract/event.ts'
import { failureOf, statusOf } from './agent-status.ts'
import type { AgentFacts } from './facts.ts'

export type PaneTurn = {
  facts: AgentFacts
  /**
   * When its transcript was last looked at. Only silence up to then counts: a daemon that was held up for seconds has not read
   * what the client wrote meanwhile.
   */
  lookedAt: number
  /** When the turn before it ended: a prompt or an error from before that does not belong to this turn. */
  since: number
  /** When a person last gave it back. */
  ownSince: number
  /** What its session may cost. In a pane the client does not enforce this limit. */
  maxCostUsd: number | null
  /** The turn is an iteration. Otherwise only the cost of what its user does there matters. */
  endsWithTurn: boolean
}

/** What a pane's turn says of itself, before it is numbered. */
type PaneReport = SessionReport extends infer R ? (R extends { offset: number } ? Omit<R, 'offset'> : never) : never

type ResultWhy = Extract<SessionReport, { kind: 'result' }>['why']

/** Returns what the agent's facts mean for its turn, or null when they say nothing yet. */
export function reportOfPane({
  facts,
  lookedAt,
  since,
  ownSince,
  maxCostUsd,
  endsWithTurn,
}: PaneTurn): PaneReport | null {
  const spent = spentIn(facts, maxCostUsd)
  if (!endsWithTurn) return spent
  // A person who interrupts it or types into it wants it for themselves, until it is given back.
  const interruptedAt = facts.witness?.says === 'interrupted' ? facts.witness.at : 0
  if (Math.max(facts.typedAt ?? 0, interruptedAt) > ownSince) return { kind: 'taken-over' }
  // Cleared, what follows there is somebody else's conversation; once it is given back, this one is over.
  if (facts.end?.why === 'clear')
    return facts.end.at > ownSince ? { kind: 'taken-over' } : { kind: 'stopped', running: 0 }
  const given = givenUpAt(facts)
  if (given > ownSince) return { kind: lookedAt - given < GIVEN_UP_MS ? 'working' : 'taken-over' }
  if (spent) return spent
  const { status } = statusOf(facts, lookedAt)
  // A client that is slow to begin notes that it is idle, and has not even read its prompt.
  const isPrompted = (facts.promptedAt ?? 0) > since
  switch (status) {
    case 'waiting':
      return isPrompted ? { kind: 'stopped', running: 0 } : null
    case 'background':
      return isPrompted ? { kind: 'stopped', running: 1 } : null
    case 'failed': {
      const failure = failureOf(facts, lookedAt)
      return failure && failure.at > since ? failedFor(whyOf(failure.why), facts.usage) : null
    }
    case 'working':
    case 'attention':
    case 'compacting':
      return { kind: 'working' }
    default:
      return null
  }
}

/** A session that the model has left is left by its loop too: what it cost is counted now. Of others, when they are closed. */
function failedFor(why: ResultWhy, { saidUsd, sinceUsd, output }: AgentFacts['usage']): PaneReport {
  const failed = { kind: 'result' as const, isError: true, why, costUsd: 0, turns: 0 }
  if (why !== 'outage' && why !== 'overloaded') return failed
  return { ...failed, answered: output > 0, totalUsd: saidUsd + sinceUsd }
}

function spentIn({ usage }: AgentFacts, maxCostUsd: number | null): PaneReport | null {
  if (maxCostUsd === null) return null
  // Of the whole session: an earlier turn of it may have been counted already.
  const totalUsd = usage.saidUsd + usage.sinceUsd
  const why = totalUsd >= maxCostUsd ? 'max-cost' : usage.unpriced === null ? null : 'unpriced'
  return why && { kind: 'result', isError: true, why, costUsd: 0, totalUsd, turns: 0 }
}

// Longer than a Stop hook and the transcript need to tell us the same as the client's own note, on a busy machine.
const GIVEN_UP_MS = 5_000

/**
 * Since when the client rests although no turn of it has ended: no Stop was heard, and its transcript still waits for an
 * answer. That is what Esc before the first word of an answer leaves. 0: it is not so.
 */
function givenUpAt({ client, witness, turn }: AgentFacts): number {
  const isLeft = client?.status === 'idle' && turn.open && witness?.says === 'working'
  return isLeft && client.at > Math.max(turn.at, witness.at) ? client.at : 0
}

function whyOf(error: string): ResultWhy {
  if (/rate_limit|usage_limit|billing/.test(error)) return 'limit'
  if (/overloaded/.test(error)) return 'overloaded'
  if (/server_error/.test(error)) return 'outage'
  if (/authentication|oauth|permission/.test(error)) return 'auth'
  return 'api-error'
}
