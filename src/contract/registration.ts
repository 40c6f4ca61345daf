import * as z from 'zod'

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

/**
 * A file in the state directory, there from an orderly end of the daemon until its next start: whoever follows a run
 * sees by it that the daemon was told to stop, and does not bring it back. One that is replaced by a newer one leaves none.
 */
export const STOPPED_MARK = 'stopped'

/** Exit codes of the daemon process that its supervisor understands; any other one is a death. */
export const DAEMON_EXIT = { stopped: 0, steppedDown: 75, cannotStart: 78 } as const
