import { appendFileSync, mkdirSync, statSync } from 'node:fs'

// A daemon that was never started must not cost its user a disk.
const SPOOL_LIMIT = 50_000_000

/** The daemon is down: the event waits in a file. One write to the end is one whole line, whoever else writes there. */
export function spool(home: string, body: string): void {
  const path = `${home}/spool.ndjson`
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 })
    if (sizeOf(path) < SPOOL_LIMIT) appendFileSync(path, `${body}\n`, { mode: 0o600 })
  } catch {
    // A full disk is no reason to disturb a session.
  }
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}
