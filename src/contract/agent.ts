import * as z from 'zod'

/** What an agent is doing. The first that holds, in this order; computed from facts, never stored. */
export const AgentStatus = z.enum([
  'gone',
  'done',
  'failed',
  'attention',
  'compacting',
  'working',
  'background',
  'starting',
  'waiting',
])
export type AgentStatus = z.infer<typeof AgentStatus>

/** One line of `agents --json`. Scripts rely on it: fields are added, never renamed. */
export const AgentSummary = z.object({
  id: z.string(),
  session: z.string(),
  status: AgentStatus,
  reason: z.string(),
  /** The reason without its age, and since when it holds: a face that stays open lets it age by itself. */
  doing: z.string(),
  since: z.iso.datetime().nullable(),
  /** Where two signals disagree, which; null when they agree. */
  unsure: z.string().nullable(),
  project: z.string(),
  cwd: z.string(),
  pane: z.string().nullable(),
  model: z.string().nullable(),
  run: z.string().nullable(),
  role: z.string().nullable(),
  observedRole: z.string().nullable(),
  tool: z.string().nullable(),
  subagents: z.number(),
  tokens: z.number(),
  contextTokens: z.number(),
  costUsd: z.number(),
  team: z.string().nullable(),
  startedAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type AgentSummary = z.infer<typeof AgentSummary>

/** `<socket name>:%N`. It is shown and given to tmux, so it has no other form. */
export const PaneName = z.string().regex(/^[^\p{C}:/]{1,200}:%\d{1,9}$/u)

/** Where a hook ran: what the client itself does not say about its surroundings. */
export const Surroundings = z.object({
  /** Never 1, 0 or less: a signal to these goes to everybody. */
  pid: z.number().int().min(2).nullable(),
  pane: PaneName.nullable().catch(null),
  entrypoint: z.string().max(100).nullable(),
  configDirectory: z.string().max(4096).nullable(),
  run: z.string().max(80).nullable(),
  loopDirectory: z.string().max(4096).nullable(),
  team: z
    .object({
      name: z.string().max(200),
      agentId: z.string().max(200),
      agentName: z.string().max(200),
      agentType: z.string().max(200),
    })
    .nullable(),
})
export type Surroundings = z.infer<typeof Surroundings>

export const NO_SURROUNDINGS: Surroundings = {
  pid: null,
  pane: null,
  entrypoint: null,
  configDirectory: null,
  run: null,
  loopDirectory: null,
  team: null,
}
