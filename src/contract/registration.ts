import { z } from 'zod'

/** daemon.json in the state directory: who serves it now. Written by temp and rename, 0600. */
export const Registration = z.object({
  id: z.uuid(),
  pid: z.number().int().positive(),
  startedAt: z.iso.datetime(),
  version: z.string(),
  port: z.number().int(),
  socket: z.string(),
})
export type Registration = z.infer<typeof Registration>

/** Exit codes of the daemon process that its supervisor understands; any other one is a death. */
export const DAEMON_EXIT = { stopped: 0, steppedDown: 75, cannotStart: 78 } as const
