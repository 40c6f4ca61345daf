import * as z from 'zod'

/** Brings the result of a run into the branch that its user has checked out. Sent again, it finds the one under way. */
export const MergeRequest = z.strictObject({
  request: z.uuid(),
  squash: z.boolean(),
  /** False: without the checks on what a branch that moved would become. */
  ward: z.boolean(),
  /** Of whoever asks: the checks run in it. It stays in memory. */
  environment: z.record(z.string().max(1000), z.string().max(200_000)),
})
export type MergeRequest = z.infer<typeof MergeRequest>

export const MergeAnswer = z.discriminatedUnion('state', [
  /** Checks take longer than an answer may: ask again. */
  z.object({ state: z.literal('under-way') }),
  z.object({
    state: z.literal('merged'),
    branch: z.string(),
    commit: z.string(),
    files: z.number(),
    /** Null: the branch had not moved, or checks were not wanted, or there are none. */
    ward: z.enum(['green', 'old-reds']).nullable(),
  }),
  /** Its branch has no commit of its own. */
  z.object({ state: z.literal('nothing'), branch: z.string(), commit: z.string() }),
  z.object({ state: z.literal('already'), branch: z.string(), commit: z.string() }),
])
export type MergeAnswer = z.infer<typeof MergeAnswer>
