import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realDisk } from '../src/adapters/disk.ts'
import { systemClock } from '../src/adapters/system-clock.ts'
import { advance, type RunRecord } from '../src/core/run/advance.ts'
import type { Run } from '../src/daemon/runtime/live-run.ts'
import { openRun } from '../src/daemon/runtime/open-run.ts'
import { RUN, stamp } from '../test/core/run-world.ts'
import type { SessionRecord } from '../test/core/session-world.ts'
import { longRun, nextEvent, writeRun } from './long-run.ts'
import { compare, type Figure, timed } from './statistics.ts'

const YOUNG = 100
const OLD = 100_000
// Noise between two equal medians; growth with the journal would be a factor of hundreds.
const NO_GROWTH = { ratio: 1.5 }

/** One decision early and late in a run's life: it must not get slower. */
export async function decisionBench(): Promise<Figure[]> {
  return [await decided(), await posted()]
}

/** Deciding alone. Thousands at once, because one takes microseconds. */
function decided(): Promise<Figure> {
  const deciding = (count: number) => {
    const from = longRun(count).record
    return timed(() => {
      let record = from
      for (let n = 0; n < 5_000; n++) record = advance(record, stamp(record, nextEvent(record, count + n))).record
    })
  }
  return compare('5,000 decisions', sides(deciding), 15, NO_GROWTH)
}

/** Through a run's mailbox: decided, written to the journal, on the disk. */
async function posted(): Promise<Figure> {
  const root = mkdtempSync(join(tmpdir(), 'rehoboam-bench-'))
  try {
    const runs = new Map<number, Run>()
    for (const count of [YOUNG, OLD]) runs.set(count, await open(join(root, String(count)), count))
    const posting = async (count: number) => {
      const run = runs.get(count)!
      const event = (record: RunRecord) => nextEvent(record as SessionRecord, record.seq)
      return timed(() => run.post(event))
    }
    const figure = await compare('one event on the disk', sides(posting), 400, NO_GROWTH)
    for (const run of runs.values()) await run.close()
    return figure
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

function sides(measure: (count: number) => Promise<number>) {
  const side = (count: number) => ({ name: `${count} events`, run: () => measure(count) })
  return { baseline: side(YOUNG), subject: side(OLD) }
}

async function open(runs: string, count: number): Promise<Run> {
  writeRun(runs, longRun(count).events)
  const options = { runs, disk: realDisk, clock: systemClock, snapshotEvery: 1000, perform: () => {} }
  const { run } = await openRun(RUN, options)
  if (!run) throw new Error('the run could not be opened')
  return run
}
