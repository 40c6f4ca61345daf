import * as z from 'zod'
import { Surroundings } from './agent.ts'

/** What `rehoboam hook` sends: the client's own payload, and where it was heard. */
export const HookBody = z.strictObject({
  id: z.uuid(),
  at: z.number().int().nonnegative(),
  /** The hook waits for an answer. */
  isHeld: z.boolean(),
  where: Surroundings,
  hook: z.unknown(),
  /** The payload was too large to be sent, and its long texts are cut. */
  isCut: z.boolean().default(false),
})
export type HookBody = z.infer<typeof HookBody>
