import type { Stamped } from '../../contract/event.ts'
import { seal, unseal } from './seal.ts'

/**
 * Changes whenever an event is renamed or has another shape. Replaying events of an older form would skip those that it does not
 * know, and a run that has ended would work again.
 */
const JOURNAL_VERSION = 2

export function writeLine(event: Stamped): string {
  const { seq, at, ...rest } = event
  return seal({ v: JOURNAL_VERSION, seq, at, ...rest })
}

type ReadLine = { ok: true; event: Stamped } | { ok: false; newer: boolean; why: string }

export function readLine(line: string): ReadLine {
  const value = unseal(line)
  if (!value) return { ok: false, newer: false, why: 'its checksum is wrong' }
  const { v, ...event } = value
  if (typeof v === 'number' && v > JOURNAL_VERSION) return { ok: false, newer: true, why: `it has the newer form ${v}` }
  if (typeof v === 'number' && v < JOURNAL_VERSION)
    return { ok: false, newer: false, why: `it has the older form ${v}` }
  if (v !== JOURNAL_VERSION || typeof event.seq !== 'number' || typeof event.at !== 'number') {
    return { ok: false, newer: false, why: 'it is not an event' }
  }
  return { ok: true, event: event as Stamped }
}
