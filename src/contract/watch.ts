import type { AgentSummary } from './agent.ts'
import type { Stamped } from './event.ts'
import type { InboxState } from './question.ts'
import type { RunSummary } from './run.ts'

/** Something that happened, for those who watch everything: a hook of an agent, or an event of a run. */
export type Happening =
  | {
      kind: 'hook'
      at: number
      agent: string
      /** Empty for the agent itself. */
      subagent: string
      name: string
      tool: string
      words: string
      ms: number
      failed: boolean
    }
  | { kind: 'run'; at: number; run: string; event: Stamped }

/**
 * What those who watch everything are sent: first all of it, then what has changed, in batches. Whoever loses the
 * connection begins again with all of it, so that nobody has to ask what was missed.
 */
export type WatchItem =
  | {
      type: 'all'
      /** The daemon's id: another one after a restart. */
      daemon: string
      agents: AgentSummary[]
      runs: RunSummary[]
      inbox: InboxState
      happenings: Happening[]
    }
  | {
      type: 'changed'
      agents: AgentSummary[]
      /** Agents that have left the lists. */
      left: string[]
      runs: RunSummary[]
      inbox: InboxState | null
      happenings: Happening[]
      /** Happenings of this batch that were left out: nobody reads a thousand a second. */
      omitted: number
    }
