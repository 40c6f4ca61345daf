import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { realDisk } from '../src/adapters/disk.ts'
import { systemClock } from '../src/adapters/system-clock.ts'
import { openRun } from '../src/daemon/runtime/open-run.ts'
import { RUN } from '../test/core/run-world.ts'
import { longRun, writeRun } from './long-run.ts'
import { compare, type Figure, timed } from './statistics.ts'

const EVENTS = 100_000
// A snapshot is stored every 1,000 events, so on average half of that is read after it.
const AFTER_SNAPSHOT = 500
const LIMITS = { ratio: 5, medianMs: 1000 }

/** Taking back a run of 100,000 events, with and without its snapshot, against the least that reading it could cost. */
export async function restartBench(): Promise<Figure[]> {
  const root = mkdtempSync(join(tmpdir(), 'rehoboam-bench-'))
  try {
    const { events } = longRun(EVENTS)
    // Opening and closing a run leaves its snapshot behind: made of most of the journal, kept for the whole of it.
    const directory = dirname(writeRun(root, events.slice(0, EVENTS - AFTER_SNAPSHOT)))
    const [state, kept] = [join(directory, 'state.json'), join(root, 'snapshot')]
    await open(root)
    copyFileSync(state, kept)
    const journal = writeRun(root, events)
    const baseline = { name: 'JSON.parse of every line', run: () => timed(() => parseLines(journal)) }
    const without = async () => {
      rmSync(state, { force: true })
      return open(root)
    }
    const withOne = async () => {
      copyFileSync(kept, state)
      return open(root)
    }
    const whole = { baseline, subject: { name: 'without a snapshot', run: without } }
    const short = { baseline, subject: { name: 'with a snapshot', run: withOne } }
    return [
      await compare(`restart after ${EVENTS} events`, whole, 9, LIMITS),
      await compare(`restart after ${EVENTS} events`, short, 9, LIMITS),
    ]
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

function parseLines(path: string): number {
  let events = 0
  for (const line of readFileSync(path, 'utf8').split('\n')) if (line && JSON.parse(line)) events += 1
  if (events !== EVENTS) throw new Error(`${events} events instead of ${EVENTS}`)
  return events
}

/** How long until the run stands; closing it is not part of a start. */
async function open(runs: string): Promise<number> {
  const from = performance.now()
  const { run } = await openRun(RUN, {
    runs,
    disk: realDisk,
    clock: systemClock,
    snapshotEvery: 1000,
    perform: () => {},
  })
  const took = performance.now() - from
  if (!run || run.record.seq < EVENTS - AFTER_SNAPSHOT) throw new Error('the run was not read whole')
  await run.close()
  return took
}
