import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { realDisk } from '../../src/adapters/disk.ts'
import { openFileJournal } from '../../src/adapters/journal/file-journal.ts'
import { events } from './written.ts'

const OPERATIONS = ['write', 'writeFile', 'truncate', 'datasync', 'sync'] as const

/** Every call on an open file from here on, in order, each noted when it is over. */
async function witness() {
  const root = mkdtempSync(join(tmpdir(), 'rehoboam-sync-'))
  const handle = await open(root)
  const prototype = Object.getPrototypeOf(handle) as FileHandle
  await handle.close()
  const calls: string[] = []
  for (const name of OPERATIONS) {
    const real = prototype[name] as (...args: unknown[]) => Promise<unknown>
    vi.spyOn(prototype, name).mockImplementation(async function (this: FileHandle, ...args: unknown[]) {
      const result = await real.apply(this, args)
      calls.push(name)
      return result as never
    })
  }
  return { root, calls, take: () => calls.splice(0), [Symbol.dispose]: () => rmSync(root, { recursive: true }) }
}

test('an append returns after its bytes are on the disk, and so does a cut [journal-synced]', async () => {
  using seen = await witness()
  const file = await realDisk.openAppend(join(seen.root, 'file'))
  // A new name is sure only when its directory is.
  expect(seen.take()).toEqual(['sync'])
  await file.append('one\n')
  expect(seen.take()).toEqual(['write', 'datasync'])
  await file.truncate(2)
  expect(seen.take()).toEqual(['truncate', 'datasync'])
  await file.close()
})

test('a replacement is on the disk before it gets its name, and the name before the call returns [journal-synced]', async () => {
  using seen = await witness()
  await realDisk.replace(join(seen.root, 'file'), 'text')
  const calls = seen.take()
  expect(calls.indexOf('datasync')).toBeGreaterThan(calls.indexOf('writeFile'))
  expect(calls.slice(calls.indexOf('datasync'))).toEqual(['datasync', 'sync'])
})

test('every directory on the way to a new one is on the disk before the call returns [journal-synced]', async () => {
  using seen = await witness()
  await realDisk.makeDirectory(join(seen.root, 'a', 'b', 'c'))
  expect(seen.take()).toEqual(['sync', 'sync', 'sync'])
  await realDisk.makeDirectory(join(seen.root, 'a', 'b', 'c'))
  expect(seen.take()).toEqual([])
})

test('events that somebody else wrote are brought to the disk before anybody acts on them [journal-synced]', async () => {
  using seen = await witness()
  mkdirSync(join(seen.root, 'run'))
  const first = await openFileJournal(join(seen.root, 'run'), realDisk)
  await first.journal.append(events(3), 0)
  // It dies here, and nobody knows whether it came to its sync.
  seen.take()
  const second = await openFileJournal(join(seen.root, 'run'), realDisk)
  expect(seen.take()).toContain('datasync')
  // What a snapshot covers was there before the snapshot was.
  await second.journal.saveSnapshot('three')
  seen.take()
  const third = await openFileJournal(join(seen.root, 'run'), realDisk)
  expect(seen.take()).not.toContain('datasync')
  for (const { journal } of [first, second, third]) await journal.close()
})
