import type {
  GetStepInput,
  QuestTool,
  SetRequirementsInput,
  SetStepsInput,
  SignalInput,
  SignalKind,
  ToolAnswer,
} from '../../contract/quest-tools.ts'

export type SessionAt = { run: string; session: string }

/** A session as its MCP door sees it: where it is at work, and what its role may do there. */
export type QuestSession = SessionAt & {
  step: string
  tools: readonly QuestTool[]
  maySignal: readonly SignalKind[]
  /** Whom it may ask for a follow-up. */
  mayAsk: readonly string[]
}

/**
 * What the tools of a quest's sessions reach. An answer comes when what it says is written down: a client that is told
 * `accepted` may be killed the moment after. The same call twice counts once.
 */
export interface QuestDesk {
  /** The session of a quest, also one that has ended: it is told why nothing is done any more. Null: not of a quest. */
  find(session: string): QuestSession | null
  signal(at: SessionAt, input: SignalInput): Promise<ToolAnswer>
  getStep(at: SessionAt, input: GetStepInput): Promise<ToolAnswer>
  setRequirements(at: SessionAt, input: SetRequirementsInput): Promise<ToolAnswer>
  setSteps(at: SessionAt, input: SetStepsInput): Promise<ToolAnswer>
}
