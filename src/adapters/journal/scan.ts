import type { Stamped } from '../../contract/event.ts'
import { readLine } from './line.ts'

export type Scan = {
  events: Stamped[]
  goodBytes: number
  /** Why reading stopped before the end, or null. */
  bad: string | null
  newer: boolean
}

const NEWLINE = 0x0a

/** Reads lines from a byte offset until the first one that cannot be used. `seq` is the number before the first. */
export function scan(bytes: Uint8Array, from: number, seq: number): Scan {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const events: Stamped[] = []
  let good = from
  const stop = (bad: string | null, newer = false): Scan => ({ events, goodBytes: good, bad, newer })
  while (good < buffer.length) {
    const newline = buffer.indexOf(NEWLINE, good)
    if (newline === -1) return stop('the last line is torn')
    // Bytes that are not UTF-8 become replacement characters here, and then the checksum is wrong.
    const line = readLine(buffer.toString('utf8', good, newline))
    if (!line.ok) return stop(`event ${seq + 1} cannot be used: ${line.why}`, line.newer)
    if (line.event.seq !== seq + 1) return stop(`event ${seq + 1} is missing: number ${line.event.seq} stands there`)
    events.push(line.event)
    good = newline + 1
    seq += 1
  }
  return stop(null)
}

/** For those who only look: everything that can be read, in order, also behind a damaged line. */
export function legible(bytes: Uint8Array): Stamped[] {
  const whole = scan(bytes, 0, 0)
  if (!whole.bad) return whole.events
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const events = whole.events
  let seq = events.length
  let start = whole.goodBytes
  for (let end = buffer.indexOf(NEWLINE, start); end !== -1; end = buffer.indexOf(NEWLINE, start)) {
    const line = readLine(buffer.toString('utf8', start, end))
    if (line.ok && line.event.seq > seq) {
      events.push(line.event)
      seq = line.event.seq
    }
    start = end + 1
  }
  return events
}
