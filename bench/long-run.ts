import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeLine } from '../src/adapters/journal/line.ts'
import type { RunEvent, Stamped } from '../src/contract/event.ts'
import { advance } from '../src/core/run/advance.ts'
import { RUN, stamp } from '../test/core/run-world.ts'
import {
  background,
  created,
  ended,
  init,
  result,
  type SessionRecord,
  started,
  told,
} from '../test/core/session-world.ts'

/** A run that was told one thing after the other for weeks: turn after turn, never ended. */
const TURN = [started, init, result('ok'), background(1), told(), background(0), result('ok'), ended(0)]

export function longRun(count: number): { record: SessionRecord; events: Stamped[] } {
  let record: SessionRecord | null = null
  const events: Stamped[] = []
  while (events.length < count) {
    const event: Stamped = stamp(record, nextEvent(record, events.length))
    record = advance(record, event).record
    events.push(event)
  }
  return { record: record!, events }
}

/** The event that comes after so many others. */
export function nextEvent(record: SessionRecord | null, count: number): RunEvent {
  if (!record) return created()
  const next = TURN[(count - 1) % TURN.length]!
  return typeof next === 'function' ? next(record) : next
}

/** Its journal on the disk, as a daemon would have written it. Returns the journal's path. */
export function writeRun(runs: string, events: Stamped[]): string {
  const directory = join(runs, RUN)
  mkdirSync(directory, { recursive: true })
  const path = join(directory, 'journal.ndjson')
  writeFileSync(path, events.map(writeLine).join(''))
  return path
}
