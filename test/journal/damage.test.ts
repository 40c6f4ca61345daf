import assert from 'node:assert/strict'
import { describe, expect, test } from 'vitest'
import { openFileJournal } from '../../src/adapters/journal/file-journal.ts'
import { seal } from '../../src/adapters/journal/seal.ts'
import { memoryDisk } from './memory-disk.ts'
import { AT, bytesOf, DIRECTORY, events, JOURNAL, opened } from './written.ts'

const WHOLE = events(6)
const BYTES = bytesOf(WHOLE)
/** Where each line begins, and where the last one ends. */
const STARTS = WHOLE.map((_, n) => bytesOf(WHOLE.slice(0, n)).length)
const lineAt = (byte: number) => STARTS.findLastIndex(start => start <= byte)

/** What must hold of a journal that is good up to a line and damaged from there on. Not by `expect`: 20,000 of those take long. */
async function checkRepaired(bytes: Uint8Array, goodLines: number): Promise<void> {
  const good = BYTES.subarray(0, STARTS[goodLines] ?? BYTES.length)
  const { journal, events: usable, repaired, aside, file, disk } = await opened(bytes)
  assert.equal(JSON.stringify(usable), JSON.stringify(WHOLE.slice(0, goodLines)))
  assert.equal(repaired?.bytes, bytes.length - good.length)
  assert.match(repaired.reason, /^(event \d+ (cannot be used|is missing): |the last line is torn)/)
  assert.ok(aside?.equals(Buffer.from(bytes).subarray(good.length)), 'what was set aside is not what was cut off')
  assert.ok(file().equals(good), 'the good part is not what is left')
  const next = events(goodLines + 1).at(-1)!
  await journal.append([next], goodLines)
  assert.ok(file().equals(bytesOf([...WHOLE.slice(0, goodLines), next])), 'the append did not go on from the good part')
  assert.equal((await openFileJournal(DIRECTORY, disk)).repaired, null, 'repaired a second time')
}

/** What must hold of a journal whose very first line is damaged, with more than that in the file. */
async function checkLeftAlone(bytes: Uint8Array): Promise<void> {
  const disk = memoryDisk(new Map([[JOURNAL, bytes]]))
  await assert.rejects(openFileJournal(DIRECTORY, disk), { code: 'journal-unreadable' })
  assert.deepEqual([...disk.files.keys()], [JOURNAL])
  assert.ok(Buffer.from(disk.files.get(JOURNAL)!).equals(Buffer.from(bytes)), 'the file was changed')
}

const checkMended = (bytes: Uint8Array, goodLines: number) =>
  goodLines > 0 ? checkRepaired(bytes, goodLines) : checkLeftAlone(bytes)

describe('the good part is used, the rest is set aside byte for byte, and appends go on', () => {
  test('cut at every byte of the last three lines [journal-damage]', async () => {
    for (let size = STARTS[3]! + 1; size < BYTES.length; size++) {
      if (STARTS.includes(size)) continue
      await checkRepaired(BYTES.subarray(0, size), lineAt(size))
    }
  })

  test('a bit flipped anywhere [journal-damage]', async () => {
    for (let byte = 0; byte < BYTES.length; byte++) {
      for (const bit of [1, 2, 4, 8, 16, 32, 64, 128]) {
        const bytes = Buffer.from(BYTES)
        bytes[byte]! ^= bit
        await checkMended(bytes, lineAt(byte))
      }
    }
  })

  const lines = WHOLE.map(event => bytesOf([event]))
  const of = (...order: number[]) => Buffer.concat(order.map(n => lines[n - 1]!))
  test.each([
    ['a line is missing', of(1, 2, 4, 5, 6), 2],
    ['a line stands there twice', of(1, 2, 3, 3, 4, 5, 6), 3],
    ['two lines have changed places', of(1, 2, 4, 3, 5, 6), 2],
    ['the last line stands there twice', of(1, 2, 3, 4, 5, 6, 6), 6],
    ['an empty line was put in', Buffer.concat([of(1, 2), Buffer.from('\n'), of(3, 4)]), 2],
    ['a line of other text was put in', Buffer.concat([of(1, 2, 3), Buffer.from('{"v":1}\n'), of(4)]), 3],
    ['Windows line ends', Buffer.from(of(1, 2).toString().replaceAll('\n', '\r\n')), 0],
    ['a block of NUL at the end', Buffer.concat([of(1, 2, 3), Buffer.alloc(4096)]), 3],
    ['a block of NUL and good lines behind it', Buffer.concat([of(1, 2, 3), Buffer.alloc(512), of(4, 5, 6)]), 3],
    ['bytes that are no UTF-8', Buffer.concat([of(1, 2), Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0x0a]), of(3)]), 2],
    ['a huge line', Buffer.concat([of(1, 2, 3), Buffer.alloc(50_000_000, 'x'), Buffer.from('\n'), of(4)]), 3],
    ['only NUL', Buffer.concat([Buffer.alloc(4096), Buffer.from('\n')]), 0],
    ['another file altogether', Buffer.from('# a shopping list\nmilk\n'), 0],
  ])('%s [journal-damage]', (_, bytes, good) => checkMended(bytes, good))

  const sealed = (fields: object) => Buffer.from(seal({ v: 2, seq: 3, at: AT, ...fields }))
  test.each([
    ['the checksum of another text', Buffer.from(lines[2]!.toString().replace('"pid"', '"PID"').replace('400', '401'))],
    ['a number that is no number', sealed({ seq: '3' })],
    ['no time', sealed({ at: null })],
    ['no version', sealed({ v: undefined })],
    ['a version of long ago', sealed({ v: 0 })],
  ])('%s: not used though it is a line [journal-damage]', (_, line) =>
    checkRepaired(Buffer.concat([of(1, 2), line, of(4)]), 2),
  )
})

test('an empty file is a run that never began: nothing is used and nothing is said [journal-damage]', async () => {
  const { journal, events: none, repaired, snapshot, disk } = await opened(new Uint8Array())
  expect({ none, repaired, snapshot, seq: journal.seq }).toEqual({ none: [], repaired: null, snapshot: null, seq: 0 })
  expect([...disk.files.keys()]).toEqual([JOURNAL])
})

test('a first line that is torn was never acknowledged: it is set aside, and the run may begin again [journal-damage]', async () => {
  for (const size of [1, 20, STARTS[1]! - 1]) {
    const { journal, repaired, aside, file } = await opened(BYTES.subarray(0, size))
    expect(repaired?.reason).toBe('the last line is torn')
    expect(aside?.equals(BYTES.subarray(0, size))).toBe(true)
    await journal.append(WHOLE.slice(0, 1), 0)
    expect(file().equals(BYTES.subarray(0, STARTS[1]))).toBe(true)
  }
})

test('a newer form is refused with a sentence, and its file is not touched [journal-newer]', async () => {
  const newer = Buffer.concat([bytesOf(WHOLE), Buffer.from(seal({ v: 3, seq: 7, at: AT, type: 'told', shape: [] }))])
  const disk = memoryDisk(new Map([[JOURNAL, newer]]))
  const refusal = await openFileJournal(DIRECTORY, disk).catch(error => error)
  expect(refusal).toMatchObject({ code: 'journal-newer' })
  expect(refusal.message).toMatch(/newer rehoboam; install that version/)
  expect([...disk.files.keys()]).toEqual([JOURNAL])
  expect(Buffer.from(disk.files.get(JOURNAL)!).equals(newer)).toBe(true)
})

test('an older form is refused with a sentence, and its file is not touched [journal-newer]', async () => {
  const older = Buffer.from(WHOLE.map(event => seal({ v: 1, ...event })).join(''))
  await checkLeftAlone(older)
  await expect(opened(older)).rejects.toThrow('it has the older form 1')
})
