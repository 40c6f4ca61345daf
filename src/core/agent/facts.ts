import type { HookTask } from '../../contract/hook.ts'

/** Everything that is known of one agent. Status is computed from this, never kept in it. */
export type AgentFacts = {
  session: string
  /** Where it began. */
  project: string
  cwd: string
  transcript: string
  pane: string | null
  pid: number | null
  /** `sdk-cli` when it runs without a person. */
  entrypoint: string | null
  configDirectory: string | null
  run: string | null
  role: string | null
  model: string | null
  effort: string | null
  permissionMode: string | null
  team: { name: string; agentName: string; agentType: string } | null
  startedAt: number
  updatedAt: number
  /** Heard from the client itself, not only started by us. */
  heard: boolean
  /** A prompt was given and the turn has not ended; since when it is as it is. */
  turn: { open: boolean; at: number }
  tools: RunningTool[]
  recent: DoneTool[]
  /** Whose end was told lately: its beginning may be heard after it. */
  endedTools: { id: string; at: number }[]
  subagents: Subagent[]
  /** What its last Stop listed as still running, less what has ended since. */
  background: HookTask[]
  mates: Mate[]
  /** Open prompts that were seen: by hook, by notification or on the screen. */
  prompts: OpenPrompt[]
  compactingSince: number | null
  compactions: number
  end: { how: 'ended' | 'failed'; why: string; at: number } | null
  /** The process or pane was looked for and is not there. */
  vanishedAt: number | null
  files: string[]
  tasks: ClientTask[]
  lastMessage: string
  usage: Usage
  /** What the transcript says by itself, so that a lost hook is noticed. */
  witness: Witness | null
  /** What the client notes about itself beside its transcript. */
  client: ClientSays | null
  unknown: { name: string; count: number }[]
  /** When it was last given a prompt, by whomever: before that it is only starting, whatever it notes about itself. */
  promptedAt: number | null
  /** When somebody last typed a prompt there. */
  typedAt: number | null
  /** When its last hook came. */
  hookAt: number | null
  /** What its pane shows instead of beginning, for as long as nothing was heard of it. */
  dialog: string | null
}

type RunningTool = { id: string; name: string; words: string; at: number; agentId: string }
export type DoneTool = { id: string; name: string; words: string; at: number; ms: number; failed: boolean }
type Subagent = { id: string; type: string; at: number; endedAt: number | null }
export type Mate = { name: string; team: string; idle: boolean; shutdownAsked: boolean }
export type OpenPrompt = {
  kind: 'permission' | 'question' | 'notification'
  words: string
  at: number
  agentId: string
}
export type ClientTask = { id: string; subject: string; done: boolean; begun: boolean; owner: string }
export type Usage = {
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  /** Tokens of the newest request: how full the context is. */
  context: number
  /** What the client last said that the whole session has cost. */
  saidUsd: number
  /** What came since, by our own price table. */
  sinceUsd: number
  /** A model that was used since and whose price nobody knows. */
  unpriced: string | null
}

/** The last thing that the transcript tells: a prompt, tools without a result, the end of a turn, or the error that ended it. */
export type Witness = {
  at: number
  tools: { id: string; name: string; words: string; at: number }[]
} & (
  | { says: 'working' | 'ended' | 'interrupted' }
  /** `error`: what a StopFailure hook would say. */
  | { says: 'failed'; error: string }
)

type ClientSays = { status: 'busy' | 'idle' | 'waiting' | 'unknown'; waitingFor: string; at: number }

const NO_USAGE: Usage = {
  ...{ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, context: 0 },
  ...{ saidUsd: 0, sinceUsd: 0, unpriced: null },
}

export function newAgent(session: string, at: number): AgentFacts {
  return {
    session,
    project: '',
    cwd: '',
    transcript: '',
    pane: null,
    pid: null,
    entrypoint: null,
    configDirectory: null,
    run: null,
    role: null,
    model: null,
    effort: null,
    permissionMode: null,
    team: null,
    startedAt: at,
    updatedAt: at,
    heard: false,
    turn: { open: false, at },
    tools: [],
    recent: [],
    endedTools: [],
    subagents: [],
    background: [],
    mates: [],
    prompts: [],
    compactingSince: null,
    compactions: 0,
    end: null,
    vanishedAt: null,
    files: [],
    tasks: [],
    lastMessage: '',
    usage: NO_USAGE,
    witness: null,
    client: null,
    unknown: [],
    promptedAt: null,
    typedAt: null,
    hookAt: null,
    dialog: null,
  }
}
