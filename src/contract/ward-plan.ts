import * as z from 'zod'
import { CheckCommand } from './check-command.ts'

/** Asked before a loop is started: which checks it would have, and whether somebody must agree to them first. */
export const WardPlanRequest = z.strictObject({
  directory: z.string().startsWith('/', 'the directory must be absolute').max(4096),
  environment: z.record(z.string().max(1000), z.string().max(200_000)),
  flags: z.record(z.string().max(100), z.string().max(10_000)),
  /** Given on the command line; null: none were. */
  ward: z.array(CheckCommand).max(50).nullable(),
  /** It would work in a worktree. */
  worktree: z.boolean().default(false),
})
export type WardPlanRequest = z.infer<typeof WardPlanRequest>

export const WardPlan = z.object({
  commands: z.array(z.object({ command: z.string(), from: z.string() })),
  /** What makes a fresh worktree ready. */
  setup: z.array(z.object({ command: z.string(), from: z.string() })).default([]),
  hash: z.string(),
  /** They were found, or come from the project's file, and nobody has agreed to them in this project yet. */
  needsAgreement: z.boolean(),
  /** Files that are not committed, without which a worktree would begin. */
  dirty: z.array(z.string()).default([]),
})
export type WardPlan = z.infer<typeof WardPlan>
