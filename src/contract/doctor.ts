import * as z from 'zod'

/** One thing that was looked at: how it stands, and where it is not well, what to type. */
export const Finding = z.object({
  what: z.string(),
  state: z.enum(['ok', 'warn', 'bad']),
  text: z.string(),
  mend: z.string().nullable(),
})
export type Finding = z.infer<typeof Finding>
