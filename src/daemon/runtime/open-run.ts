import { join } from 'node:path'
import { openFileJournal } from '../../adapters/journal/file-journal.ts'
import type { RunEventOf, Stamped } from '../../contract/event.ts'
import type { KeyedEffect } from '../../core/effect.ts'
import { advance, type RunRecord } from '../../core/run/advance.ts'
import type { Clock, Disk } from '../../ports.ts'
import { Run } from './live-run.ts'

export type OpenOptions = {
  runs: string
  disk: Disk
  clock: Clock
  snapshotEvery: number
  perform: (effect: KeyedEffect, run: Run) => void
}

type OpenedRun = { run: Run | null; repaired: RunEventOf<'journal-repaired'> | null }

/** A run from its directory: snapshot, events after it, nothing performed. Null when its journal holds no event. */
export async function openRun(id: string, options: OpenOptions): Promise<OpenedRun> {
  const { runs, disk, clock, snapshotEvery, perform } = options
  const { journal, snapshot, events, repaired } = await openFileJournal(join(runs, id), disk)
  try {
    const record = replayed(snapshot?.value as RunRecord | undefined, events)
    if (!record) {
      await journal.close()
      return { run: null, repaired }
    }
    const snapshotSeq = snapshot?.seq ?? 0
    const run = new Run({ id, journal, clock, snapshotEvery, record, recent: events, snapshotSeq, perform })
    return { run, repaired }
  } catch (error) {
    await journal.close()
    throw error
  }
}

function replayed(stored: RunRecord | undefined, events: Stamped[]): RunRecord | null {
  let record = stored ?? null
  for (const event of events) record = advance(record, event).record
  return record
}

/** A run that does not exist yet: an empty journal, to which `run-created` is posted next. */
export async function newRun(id: string, options: OpenOptions): Promise<Run> {
  const { runs, disk, clock, snapshotEvery, perform } = options
  await disk.makeDirectory(join(runs, id))
  const { journal } = await openFileJournal(join(runs, id), disk)
  return new Run({ id, journal, clock, snapshotEvery, record: null, recent: [], snapshotSeq: 0, perform })
}
