import type { AgentSummary } from './agent.ts'
import type { Question } from './question.ts'
import type { StreamLine } from './stream-line.ts'

/** `show ID --json` of an agent: the line of `agents --json` with everything below it. Times are ISO 8601 in UTC. */
export type AgentDetail = AgentSummary & {
  branch: string | null
  effort: string | null
  permissionMode: string | null
  pid: number | null
  entrypoint: string | null
  transcript: string | null
  /** What runs now; `subagent` is empty for its own tools. */
  tools: { words: string; since: string; subagent: string }[]
  /** The newest tools that have ended, oldest first. */
  recentTools: { words: string; endedAt: string; ms: number; failed: boolean }[]
  files: string[]
  subagentTree: { id: string; type: string; since: string; endedAt: string | null; tools: string[] }[]
  compactions: number
  usage: { input: number; output: number; cacheRead: number; cacheWrite: number }
  teamRole: { agentName: string; agentType: string } | null
  mates: { name: string; idle: boolean; shutdownAsked: boolean }[]
  /** The client's own list of tasks; `begun`: somebody works on it. */
  tasks: { id: string; subject: string; done: boolean; begun: boolean; owner: string }[]
  /** The role that was declared does not fit what it is seen doing. */
  roleMismatch: boolean
  background: string[]
  questions: Question[]
  lastMessage: string | null
  unknownEvents: { name: string; count: number }[]
  history: { at: string; agentId: string; name: string; tool: string; words: string; ms: number; failed: boolean }[]
}

/** What those who read an agent's log are sent, in the order of its transcript; `cursor` is the byte behind it. */
export type AgentLogItem = { cursor: string } & (
  | { prompt: string }
  | { output: StreamLine }
  | { interrupted: true }
  /** The beginning is left out: so many bytes of a long transcript. */
  | { skippedBytes: number }
  /** Everything that was there has been sent. `ended`: and no more will come. */
  | { caughtUp: true; ended: boolean }
)

/** What somebody means by an id. */
export type Found = { kind: 'run'; id: string } | { kind: 'agent'; id: string; run: string | null }
