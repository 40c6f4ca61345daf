import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { scan } from '../../../src/adapters/journal/scan.ts'
import type { Stamped } from '../../../src/contract/event.ts'
import { advance, type RunRecord } from '../../../src/core/run/advance.ts'
import type { World } from './world.ts'

/** The events of a run as its file has them: strictly, without help from a snapshot. */
export function journalOf(world: World, run: string): { events: Stamped[]; bad: string | null } {
  return scan(readBytes(join(world.home, 'runs', run, 'journal.ndjson')), 0, 0)
}

/** Everything that the run ever was, one record after each event. */
export function* replay(events: Stamped[]): Generator<{ event: Stamped; before: RunRecord | null; after: RunRecord }> {
  let before: RunRecord | null = null
  for (const event of events) {
    const after: RunRecord = advance(before, event).record
    yield { event, before, after }
    before = after
  }
}

export type Ended = Set<string>

/** `run turn` of every turn whose end is written down. */
export function endedTurns(world: World): Ended {
  return new Set(
    world
      .runs()
      .flatMap(run =>
        journalOf(world, run).events.flatMap(event => (event.type === 'session-ended' ? [`${run} ${event.turn}`] : [])),
      ),
  )
}

function readBytes(path: string): Uint8Array {
  try {
    return readFileSync(path)
  } catch {
    return new Uint8Array()
  }
}
