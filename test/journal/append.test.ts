import { mkdtempSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { realDisk } from '../../src/adapters/disk.ts'
import { openFileJournal } from '../../src/adapters/journal/file-journal.ts'
import type { AppendFile, Disk } from '../../src/ports.ts'
import { bytesOf, events, opened } from './written.ts'

const WHOLE = events(8)

/** The real disk, until it is full: then half of what is appended arrives, and an error. */
function fullDisk() {
  const fault = { append: false, truncate: false }
  const noSpace = () => Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  const disk: Disk = {
    ...realDisk,
    async openAppend(path): Promise<AppendFile> {
      const file = await realDisk.openAppend(path)
      return {
        get size() {
          return file.size
        },
        async append(content) {
          if (!fault.append) return file.append(content)
          const half = await open(path, 'r+')
          writeSync(half.fd, content.slice(0, content.length / 2), file.size)
          await half.close()
          throw noSpace()
        },
        async truncate(size) {
          if (fault.truncate) throw noSpace()
          await file.truncate(size)
        },
        close: () => file.close(),
      }
    },
  }
  return { disk, fault }
}

function temporary() {
  const path = mkdtempSync(join(tmpdir(), 'rehoboam-journal-'))
  const file = () => readFileSync(join(path, 'journal.ndjson'))
  return { path, file, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

test('an append with another expected number is refused and writes nothing [journal-synced]', async () => {
  const { journal, file } = await opened(bytesOf(WHOLE.slice(0, 3)))
  for (const wrong of [0, 2, 4]) {
    const refused = journal.append([WHOLE[3]!], wrong)
    await expect(refused).rejects.toMatchObject({ code: 'journal-conflict', data: { expectedSeq: wrong, seq: 3 } })
  }
  await journal.append([WHOLE[3]!], 3)
  expect(file().equals(bytesOf(WHOLE.slice(0, 4)))).toBe(true)
})

test('a full disk leaves no half line, and appends go on once there is space [journal-synced]', async () => {
  using home = temporary()
  const { disk, fault } = fullDisk()
  const { journal } = await openFileJournal(home.path, disk)
  await journal.append(WHOLE.slice(0, 3), 0)
  fault.append = true
  for (const _ of [1, 2]) {
    const refusal = await journal.append(WHOLE.slice(3, 5), 3).catch(error => error)
    expect(refusal).toMatchObject({ code: 'journal-write' })
    expect(refusal.message).toMatch(/no space left on device.*free some disk space/)
    expect(home.file().equals(bytesOf(WHOLE.slice(0, 3)))).toBe(true)
  }
  fault.append = false
  await journal.append(WHOLE.slice(3), 3)
  await journal.saveSnapshot('eight')
  await journal.close()
  const again = await openFileJournal(home.path, realDisk)
  expect([again.snapshot?.seq, again.repaired, await again.journal.read(0)]).toEqual([8, null, WHOLE])
  await again.journal.close()
})

test('half a line that cannot be taken back at once is taken back before the next append [journal-synced]', async () => {
  using home = temporary()
  const { disk, fault } = fullDisk()
  const { journal } = await openFileJournal(home.path, disk)
  await journal.append(WHOLE.slice(0, 3), 0)
  Object.assign(fault, { append: true, truncate: true })
  await expect(journal.append([WHOLE[3]!], 3)).rejects.toMatchObject({ code: 'journal-write' })
  expect(await journal.read(0)).toEqual(WHOLE.slice(0, 3))
  fault.append = false
  await expect(journal.append([WHOLE[3]!], 3)).rejects.toMatchObject({ code: 'journal-write' })
  fault.truncate = false
  await journal.append(WHOLE.slice(3), 3)
  expect(home.file().equals(bytesOf(WHOLE))).toBe(true)
  await journal.close()
})

test('half a line that nobody could take back is a torn line for the next one who opens it [journal-synced]', async () => {
  using home = temporary()
  const { disk, fault } = fullDisk()
  const { journal } = await openFileJournal(home.path, disk)
  await journal.append(WHOLE.slice(0, 3), 0)
  Object.assign(fault, { append: true, truncate: true })
  await expect(journal.append([WHOLE[3]!], 3)).rejects.toMatchObject({ code: 'journal-write' })
  await journal.close()
  const again = await openFileJournal(home.path, realDisk)
  expect([again.events, again.repaired?.reason]).toEqual([WHOLE.slice(0, 3), 'the last line is torn'])
  await again.journal.close()
})
