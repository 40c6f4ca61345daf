import * as z from 'zod'
import { RunId } from './ids.ts'

/** What `rehoboam task` asks. Without a run, the newest with tasks in this directory. */
export const TaskRequest = z.strictObject({
  run: RunId.nullable(),
  directory: z.string().startsWith('/', 'the directory must be absolute').max(4096),
  task: z.string().min(1).max(200).nullable(),
  text: z.string().min(1).max(20_000).nullable(),
  /** From inside an agent: the loop directory that its environment names. */
  loopDirectory: z.string().max(4096).nullable().default(null),
})
export type TaskRequest = z.infer<typeof TaskRequest>

export const TASK_VERBS = ['add', 'claim', 'release', 'done'] as const
export type TaskVerb = (typeof TASK_VERBS)[number]
