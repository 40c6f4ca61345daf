import { join } from 'node:path'
import { openFileJournal } from '../../adapters/journal/file-journal.ts'
import { advance, type RunRecord } from '../../core/advance.ts'
import type { KeyedEffect } from '../../core/effect.ts'
import type { Clock, Disk } from '../../ports.ts'
import { Run } from './run.ts'

export type OpenOptions = {
  runs: string
  disk: Disk
  clock: Clock
  snapshotEvery: number
  perform: (effect: KeyedEffect, run: Run) => void
}

/** A run from its directory: snapshot, events after it, nothing performed. Null when its journal holds no event. */
export async function openRun(id: string, options: OpenOptions): Promise<{ run: Run; said: string | null } | null> {
  const { runs, disk, clock, snapshotEvery, perform } = options
  const { journal, snapshot, events, repaired } = await openFileJournal(join(runs, id), disk)
  let record = snapshot ? (snapshot.value as RunRecord) : null
  for (const event of events) record = advance(record, event).record
  if (!record) {
    await journal.close()
    return null
  }
  const run = new Run({
    id,
    journal,
    clock,
    snapshotEvery,
    record,
    recent: events,
    snapshotSeq: snapshot?.seq ?? 0,
    perform,
  })
  if (repaired) await run.post(repaired)
  return {
    run,
    said: repaired ? `run ${id}: ${repaired.reason}; ${repaired.bytes} bytes set aside as ${repaired.aside}` : null,
  }
}

/** A run that does not exist yet: an empty journal, to which `run-created` is posted next. */
export async function newRun(id: string, options: OpenOptions): Promise<Run> {
  const { runs, disk, clock, snapshotEvery, perform } = options
  await disk.makeDirectory(join(runs, id))
  const { journal } = await openFileJournal(join(runs, id), disk)
  return new Run({ id, journal, clock, snapshotEvery, record: null, recent: [], snapshotSeq: 0, perform })
}
