import { z } from 'zod'
import { Surroundings } from './agent.ts'

/** What `rehoboam hook` sends: the client's own payload, untouched, and where it was heard. */
export const HookBody = z.strictObject({
  id: z.uuid(),
  at: z.number().int().nonnegative(),
  /** The hook waits for an answer. */
  isHeld: z.boolean(),
  where: Surroundings,
  hook: z.unknown(),
})
export type HookBody = z.infer<typeof HookBody>
