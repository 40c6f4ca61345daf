import { appendFileSync, renameSync, statSync } from 'node:fs'

/** The daemon's own log: one line each, 0600, cut in two before it grows past its limit. */
export function logFile(path: string, limitBytes: number): (line: string) => void {
  let size = sizeOf(path)
  return line => {
    const text = `${new Date().toISOString()} ${line.replaceAll('\n', '\n  ')}\n`
    try {
      if (size + text.length > limitBytes / 2) {
        renameSync(path, `${path}.1`)
        size = 0
      }
      appendFileSync(path, text, { mode: 0o600 })
      size += Buffer.byteLength(text)
    } catch {
      // A log that cannot be written must not stop what it tells of.
    }
  }
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}
