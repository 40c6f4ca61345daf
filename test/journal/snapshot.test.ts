import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openFileJournal } from '../../src/adapters/journal/file-journal.ts'
import { seal, unseal } from '../../src/adapters/journal/seal.ts'
import type { Stamped } from '../../src/contract/event.ts'
import { memoryDisk } from './memory-disk.ts'
import { bytesOf, DIRECTORY, events, JOURNAL, opened, STATE, snapshotAfter } from './written.ts'

const WHOLE = events(8)
const VALUE = { seq: 4, state: 'as of event 4' }
const seqs = (list: Stamped[]) => list.map(({ seq }) => seq)
const snapshotOf = async (list: Stamped[] = WHOLE.slice(0, 4)) => Buffer.from(await snapshotAfter(list, VALUE))

function changed(state: Buffer, change: (fields: Record<string, unknown>) => object): Buffer {
  return Buffer.from(seal({ ...change(unseal(state.toString().trimEnd())!) }))
}

test('a snapshot behind its journal is used, and only what comes after it is read [journal-snapshot]', async () => {
  const { snapshot, events: after, repaired, journal } = await opened(bytesOf(WHOLE), await snapshotOf())
  expect(snapshot).toEqual({ seq: 4, value: VALUE })
  expect(seqs(after)).toEqual([5, 6, 7, 8])
  expect({ repaired, seq: journal.seq }).toEqual({ repaired: null, seq: 8 })
  expect(seqs(await journal.read(0))).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
})

test('one that was made while the journal grew fits after any number of appends and restarts [journal-snapshot]', async () => {
  const { journal, disk } = await opened(bytesOf(WHOLE.slice(0, 2)))
  for (const n of [2, 3, 4]) await journal.append([WHOLE[n]!], n)
  await journal.saveSnapshot('five')
  await journal.append(WHOLE.slice(5), 5)
  const again = await openFileJournal(DIRECTORY, disk)
  expect([again.snapshot, seqs(again.events)]).toEqual([{ seq: 5, value: 'five' }, [6, 7, 8]])
  await again.journal.saveSnapshot('eight')
  const third = await openFileJournal(DIRECTORY, disk)
  expect([third.snapshot, third.events, third.repaired]).toEqual([{ seq: 8, value: 'eight' }, [], null])
})

test.each<[string, (state: Buffer) => Uint8Array | Promise<Uint8Array>]>([
  ['damaged', state => Buffer.from(state.toString().replace('event 4', 'event 5'))],
  ['cut off', state => state.subarray(0, state.length - 9)],
  ['empty', () => Buffer.alloc(0)],
  ['full of NUL', state => Buffer.alloc(state.length)],
  ['of another version', state => changed(state, fields => ({ ...fields, v: 99 }))],
  ['of a version that knew no sums', state => changed(state, ({ sum: _, ...fields }) => fields)],
  ['beside the start of a line', state => changed(state, fields => ({ ...fields, bytes: Number(fields.bytes) - 7 }))],
  ['of another journal of the same length', state => changed(state, fields => ({ ...fields, sum: 12345 }))],
  ['of no byte', state => changed(state, fields => ({ ...fields, bytes: 0 }))],
])('a snapshot that is %s is worth nothing and costs nothing [journal-snapshot]', async (_, spoil) => {
  const found = await opened(bytesOf(WHOLE), await spoil(await snapshotOf()))
  expect(found.snapshot).toBeNull()
  expect(found.events).toEqual(WHOLE)
  expect(found.repaired).toBeNull()
})

test('a snapshot that knows events which the journal has lost is not used, but kept and said [journal-snapshot] [journal-damage]', async () => {
  const state = await snapshotOf(WHOLE.slice(0, 6))
  const found = await opened(bytesOf(WHOLE.slice(0, 4)), state)
  expect([found.snapshot, seqs(found.events), found.journal.seq]).toEqual([null, [1, 2, 3, 4], 4])
  expect(found.repaired?.reason).toBe('events 5 to 6 are gone: the stored state knew them')
  const kept = found.disk.files.get(join(DIRECTORY, `${found.repaired?.aside}.state.json`))
  expect(Buffer.from(kept!).equals(state)).toBe(true)
  await found.journal.append([WHOLE[4]!, WHOLE[5]!], 4)
  const again = await openFileJournal(DIRECTORY, found.disk)
  expect([again.snapshot?.seq, again.repaired]).toEqual([6, null])
})

test('a journal that lost everything its snapshot knew is left alone and said [journal-damage]', async () => {
  const state = await snapshotOf()
  for (const bytes of [new Uint8Array(), bytesOf(WHOLE).subarray(0, 30)]) {
    const disk = memoryDisk(new Map([[JOURNAL, bytes] as const, [STATE, state] as const]))
    await expect(openFileJournal(DIRECTORY, disk)).rejects.toMatchObject({ code: 'journal-unreadable' })
    expect([...disk.files.keys()]).toEqual([JOURNAL, STATE])
  }
})

test('a stale snapshot never fits again by chance: the journal grew back to its length with other events [journal-snapshot]', async () => {
  const state = await snapshotOf(WHOLE.slice(0, 6))
  const other = WHOLE.map(event => (event.seq < 5 ? event : { ...event, at: event.at + 1 }))
  const { snapshot, events: all } = await opened(bytesOf(other), state)
  expect([snapshot, all]).toEqual([null, other])
})

test('a line that was damaged after the snapshot was made takes nothing back: state, copy, and the lines behind it stay [journal-damage]', async () => {
  const whole = bytesOf(WHOLE)
  const [third, fourth] = [bytesOf(WHOLE.slice(0, 2)).length, bytesOf(WHOLE.slice(0, 3)).length]
  for (let byte = third; byte < fourth; byte++) {
    const bytes = Buffer.from(whole)
    bytes[byte]! ^= 1
    const { snapshot, events: after, repaired, aside, journal, file, disk } = await opened(bytes, await snapshotOf())
    expect([snapshot, seqs(after)]).toEqual([{ seq: 4, value: VALUE }, [5, 6, 7, 8]])
    expect(repaired?.reason).toMatch(/^event 3 cannot be used/)
    expect(aside?.equals(bytes.subarray(third))).toBe(true)
    expect(file().equals(bytes)).toBe(true)
    // Those who follow get what can be read, instead of waiting for ever at the damaged line.
    const readable = seqs(await journal.read(0))
    expect(readable.filter(seq => seq !== 3 && seq !== 4)).toEqual([1, 2, 5, 6, 7, 8])
    await journal.saveSnapshot(VALUE)
    expect((await openFileJournal(DIRECTORY, disk)).repaired).toBeNull()
  }
})

test('damage behind the snapshot and after it: state from the snapshot, the tail cut off, all of it set aside [journal-damage]', async () => {
  const bytes = bytesOf(WHOLE)
  const [third, seventh] = [bytesOf(WHOLE.slice(0, 2)).length, bytesOf(WHOLE.slice(0, 6)).length]
  bytes[third + 5]! ^= 4
  bytes[seventh + 5]! ^= 4
  const { snapshot, events: after, repaired, aside, file } = await opened(bytes, await snapshotOf())
  expect([snapshot?.seq, seqs(after), repaired?.bytes]).toEqual([4, [5, 6], bytes.length - third])
  expect(aside?.equals(bytes.subarray(third))).toBe(true)
  expect(file().equals(bytes.subarray(0, seventh))).toBe(true)
})
