import { crc32 } from 'node:zlib'
import type { Stamped } from '../../contract/event.ts'
import type { Disk } from '../../ports.ts'
import { type Scan, scan } from './scan.ts'
import { readSnapshot, type Snapshot } from './snapshot.ts'

/** What of a journal can be used: a snapshot that fits, the events after it, and how many bytes stay in the file. */
export type Usable = {
  snapshot: Snapshot | null
  events: Stamped[]
  keptBytes: number
  /** What is wrong, and from which byte on. */
  bad: { reason: string; from: number } | null
  /** The snapshot knew of events that are gone: it is not used, but it may be the only trace of them. */
  ahead: boolean
  newer: boolean
}

/**
 * The journal is the truth and a snapshot only saves time, with one exception: a line that was damaged after a sealed
 * snapshot was made from it. Going back to before that line would forget sessions that were paid for.
 */
export async function findUsable(directory: string, disk: Disk, bytes: Uint8Array): Promise<Usable> {
  const snapshot = await readSnapshot(directory, disk)
  if (!snapshot || snapshot.bytes > bytes.length) return journalAlone(scan(bytes, 0, 0), snapshot)
  const after = scan(bytes, snapshot.bytes, snapshot.seq)
  if (crc32(bytes.subarray(0, snapshot.bytes)) === snapshot.sum) return withSnapshot(snapshot, after, after)
  const whole = scan(bytes, 0, 0)
  const isDamagedBehind = whole.goodBytes < snapshot.bytes && !whole.newer && standsAtALine(bytes, snapshot, after)
  // Nothing is damaged before it, so it was made from another journal than this one.
  return isDamagedBehind ? withSnapshot(snapshot, after, whole) : journalAlone(whole, snapshot)
}

function journalAlone(whole: Scan, unused: Snapshot | null): Usable {
  const { events, goodBytes: keptBytes, newer } = whole
  const last = events.at(-1)?.seq ?? 0
  const ahead = unused !== null && unused.seq > last
  const reason =
    whole.bad ?? (ahead ? `events ${last + 1} to ${unused.seq} are gone: the stored state knew them` : null)
  const bad = reason === null ? null : { reason, from: keptBytes }
  return { snapshot: null, events, keptBytes, bad, ahead, newer }
}

/** `first` is where the first damage was found: behind the snapshot or after it. */
function withSnapshot(snapshot: Snapshot, { events, goodBytes, newer }: Scan, first: Scan): Usable {
  const bad = first.bad === null ? null : { reason: first.bad, from: first.goodBytes }
  return { snapshot, events, keptBytes: goodBytes, bad, ahead: false, newer }
}

/** The end of the file, the next event, or at least the end of a line. */
function standsAtALine(bytes: Uint8Array, snapshot: Snapshot, after: Scan): boolean {
  return snapshot.bytes === bytes.length || after.events.length > 0 || bytes[snapshot.bytes - 1] === 0x0a
}
