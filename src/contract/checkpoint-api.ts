import * as z from 'zod'

/** What can be asked about a loop's checkpoints. */
export const RestoreAnswer = z.object({
  commit: z.string(),
  branch: z.string().nullable(),
  worktree: z.string().nullable(),
  /** The checkout whose repository has it. */
  directory: z.string(),
})
export type RestoreAnswer = z.infer<typeof RestoreAnswer>

export const RestoreRequest = z.strictObject({
  iteration: z.number().int().nonnegative(),
  /** Exactly one of them: a new branch, or a new worktree at an absolute path. */
  branch: z.string().min(1).max(200).nullable(),
  worktree: z.string().startsWith('/', 'the path must be absolute').max(4096).nullable(),
})
export type RestoreRequest = z.infer<typeof RestoreRequest>

export const DiffAnswer = z.object({
  from: z.string(),
  to: z.string(),
  iteration: z.number(),
  text: z.string(),
  cut: z.boolean(),
})
export type DiffAnswer = z.infer<typeof DiffAnswer>

/** `checkpoints`: the ended run whose checkpoints shall go too, because somebody names it. */
export const PruneRequest = z.strictObject({ checkpoints: z.string().max(100).nullable() })
export const PruneAnswer = z.object({
  removed: z.array(z.object({ what: z.string(), bytes: z.number().nullable() })),
  kept: z.array(z.object({ what: z.string(), why: z.string() })),
})
export type PruneAnswer = z.infer<typeof PruneAnswer>
