/** daemon.json in the state directory: who serves it now. Written by temp and rename, 0600. */
export type Registration = {
  id: string
  pid: number
  startedAt: string
  version: string
  port: number
  socket: string
}

/** Looked at by hand, as refusals are: every command reads it, and loading zod would be a fifth of a command's time. */
export function registrationIn(value: unknown): Registration | null {
  if (typeof value !== 'object' || value === null) return null
  const { id, pid, startedAt, version, port, socket } = value as Record<string, unknown>
  if (!isText(id) || !isText(startedAt) || !isText(version) || !isText(socket)) return null
  return isNumber(pid) && pid > 0 && isNumber(port) ? { id, pid, startedAt, version, port, socket } : null
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

/**
 * A file in the state directory, there from an orderly end of the daemon until its next start: whoever follows a run
 * sees by it that the daemon was told to stop, and does not bring it back. One that is replaced by a newer one leaves none.
 */
export const STOPPED_MARK = 'stopped'

/** Exit codes of the daemon process that its supervisor understands; any other one is a death. */
export const DAEMON_EXIT = { stopped: 0, steppedDown: 75, cannotStart: 78 } as const
