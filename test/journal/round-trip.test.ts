import { expect, test } from 'vitest'
import { openFileJournal } from '../../src/adapters/journal/file-journal.ts'
import { readLine, writeLine } from '../../src/adapters/journal/line.ts'
import { RunEvent, type Stamped } from '../../src/contract/event.ts'
import fc from '../support/laws.ts'
import { anyEvent } from './any-event.ts'
import { memoryDisk } from './memory-disk.ts'
import { DIRECTORY } from './written.ts'

const stamped = (list: RunEvent[]): Stamped[] => list.map((event, n) => ({ ...event, seq: n + 1, at: n * 7 }))

test('any event is one line, and comes back from it as it was [journal-synced]', () => {
  fc.assert(
    fc.property(anyEvent, fc.nat(), fc.nat(), (event, seq, at) => {
      expect(RunEvent.parse(event)).toEqual(event)
      const line = writeLine({ ...event, seq, at })
      expect(line.indexOf('\n')).toBe(line.length - 1)
      expect(readLine(line.slice(0, -1))).toEqual({ ok: true, event: { ...event, seq, at } })
    }),
    { numRuns: 2000 },
  )
})

test('any events, appended in any batches with restarts between, are read back in order [journal-synced]', async () => {
  const batches = fc.array(fc.array(anyEvent, { maxLength: 4 }), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(batches, fc.nat(), async (lists, snapshotAt) => {
      const disk = memoryDisk()
      const all = stamped(lists.flat())
      let seq = 0
      for (const [n, list] of lists.entries()) {
        const { journal, repaired } = await openFileJournal(DIRECTORY, disk)
        expect([journal.seq, repaired]).toEqual([seq, null])
        await journal.append(all.slice(seq, seq + list.length), seq)
        seq += list.length
        if (seq > 0 && n === snapshotAt % lists.length) await journal.saveSnapshot({ seq })
        expect(await journal.read(0)).toEqual(all.slice(0, seq))
      }
      const { snapshot, events } = await openFileJournal(DIRECTORY, disk)
      expect(events).toEqual(all.slice(snapshot?.seq ?? 0))
    }),
    { numRuns: 300 },
  )
})
