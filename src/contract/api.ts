import * as z from 'zod'
import { TEXT_LIMIT } from './body-limit.ts'
import { CheckCommand } from './check-command.ts'
import { RunId } from './ids.ts'
import { QuestRequest } from './quest.ts'

/** What a command sends to the daemon. Everything is checked here, once, and bounded. */

const Environment = z.record(z.string().max(1000), z.string().max(200_000))
const Text = z.string().min(1, 'the text is empty').max(TEXT_LIMIT)

/** What of a loop is not configuration. */
export const LoopRequest = z.strictObject({
  role: z.enum(['auto', 'planner', 'worker']),
  /** Of a planner: workers do its plan. */
  autoSpawn: z.boolean().default(false),
  /** Given on the command line: agreed to by being typed. Null: from configuration, else found. */
  ward: z.array(CheckCommand).max(50).nullable(),
  judgePrompt: z.string().max(100_000).nullable(),
  acceptRedBase: z.boolean(),
  /** The hash of the found commands that the user has agreed to. */
  agreed: z.string().max(200).nullable(),
  /** In a worktree of ours, on a branch of ours, instead of in place. */
  worktree: z.boolean().default(false),
  /** What is not committed is not in it, and the user has agreed to that. */
  agreedDirty: z.boolean().default(false),
})
export type LoopRequest = z.infer<typeof LoopRequest>

export const SpawnRequest = z.strictObject({
  /** Chosen by the caller: the same request sent twice, after a lost answer, makes one run. */
  request: z.uuid(),
  /** Empty for a loop whose anchor.md stands there already, unused. */
  prompt: z.string().max(TEXT_LIMIT),
  directory: z.string().startsWith('/', 'the directory must be absolute').max(4096),
  /** The caller's environment. It stays in memory; see core/environment.ts for what may reach the disk. */
  environment: Environment,
  /** Command-line flags that are configuration: they outrank environment and files. */
  flags: z.record(z.string().max(100), z.string().max(10_000)),
  arguments: z.array(z.string().max(100_000)).max(200),
  /** A loop on the prompt as its anchor; null: one session. */
  loop: LoopRequest.nullable().default(null),
  /** A quest on the prompt as its request; never with a loop. */
  quest: QuestRequest.nullable().default(null),
  /** A question ends the session and pauses the run. */
  noQuestions: z.boolean().optional(),
})
export type SpawnRequest = z.infer<typeof SpawnRequest>

export const SpawnAnswer = z.object({ id: RunId, notes: z.array(z.string()) })
export type SpawnAnswer = z.infer<typeof SpawnAnswer>

export const ResumeRequest = z.strictObject({
  text: Text.nullable(),
  environment: Environment,
  noQuestions: z.boolean().optional(),
})
export type ResumeRequest = z.infer<typeof ResumeRequest>
/** Goes on with a session in a pane, where a person takes it over. */
export const OpenRequest = z.strictObject({ environment: Environment })
/** Lets all that was frozen go on. */
export const ThawRequest = z.strictObject({ environment: Environment })
export const TellRequest = z.strictObject({ text: Text })
export const VerdictRequest = z.strictObject({ iteration: z.number().int().positive(), wrong: Text })
export const StopRequest = z.strictObject({ version: z.string().max(100).nullable() })

export const ConfigRequest = z.strictObject({
  directory: z.string().startsWith('/').max(4096),
  environment: Environment,
})
export const DoctorRequest = ConfigRequest.extend({
  /** The program that hooks shall start. */
  program: z.strictObject({ node: z.string().startsWith('/').max(4096), script: z.string().startsWith('/').max(4096) }),
})
export const ConfigSetRequest = ConfigRequest.extend({
  key: z.string().max(200),
  value: z.string().max(10_000).nullable(),
  where: z.enum(['user', 'project']),
})

export const DaemonStatus = z.object({
  id: z.string(),
  pid: z.number(),
  version: z.string(),
  startedAt: z.string(),
  port: z.number(),
  socket: z.string(),
  home: z.string(),
  sessions: z.number(),
  runs: z.object({ active: z.number(), all: z.number() }),
  notices: z.array(z.string()),
})
export type DaemonStatus = z.infer<typeof DaemonStatus>
