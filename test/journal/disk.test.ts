import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { realDisk } from '../../src/adapters/disk.ts'
import { memoryDisk } from './memory-disk.ts'

const DISKS = [
  ['the real disk', () => realDisk],
  ['the disk in memory', () => memoryDisk()],
] as const

function temporary() {
  const path = mkdtempSync(join(tmpdir(), 'rehoboam-disk-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

describe.each(DISKS)('%s', (_, make) => {
  test('appends behind what is there, cuts back, and goes on from the cut [journal-synced]', async () => {
    using home = temporary()
    const disk = make()
    const path = join(home.path, 'file')
    const first = await disk.openAppend(path)
    await first.append('one\ntwö\n')
    await first.close()
    const file = await disk.openAppend(path)
    expect(file.size).toBe(9)
    await file.truncate(4)
    await file.append('three\n')
    expect(file.size).toBe(10)
    expect(Buffer.from((await disk.read(path))!).toString()).toBe('one\nthree\n')
    await file.close()
  })

  test('replaces a file whole, and knows of none where none is [journal-synced]', async () => {
    using home = temporary()
    const disk = make()
    const path = join(home.path, 'file')
    expect(await disk.read(path)).toBeNull()
    await disk.replace(path, 'a long first text')
    await disk.replace(path, new Uint8Array([0, 255, 10]))
    expect([...(await disk.read(path))!]).toEqual([0, 255, 10])
  })
})

test('files are for their owner only, and nothing temporary stays [journal-synced]', async () => {
  using home = temporary()
  const inner = join(home.path, 'a', 'b', 'c')
  await realDisk.makeDirectory(inner)
  await realDisk.makeDirectory(inner)
  await realDisk.replace(join(inner, 'replaced'), 'x')
  const file = await realDisk.openAppend(join(inner, 'appended'))
  await file.close()
  expect(readdirSync(inner).sort()).toEqual(['appended', 'replaced'])
  for (const name of ['replaced', 'appended']) expect(statSync(join(inner, name)).mode & 0o777).toBe(0o600)
  for (const name of ['a', 'a/b', 'a/b/c']) expect(statSync(join(home.path, name)).mode & 0o777).toBe(0o700)
})

test('a replacement that fails leaves the old file and no litter [journal-synced]', async () => {
  using home = temporary()
  writeFileSync(join(home.path, 'file'), 'old')
  // A directory cannot be replaced by a file: the last step fails, after everything was written.
  await realDisk.makeDirectory(join(home.path, 'occupied'))
  await expect(realDisk.replace(join(home.path, 'occupied'), 'new')).rejects.toThrow()
  expect(readdirSync(home.path).sort()).toEqual(['file', 'occupied'])
})

test("what a killed process with our own number left behind is in nobody's way [journal-synced]", async () => {
  using home = temporary()
  const path = join(home.path, 'file')
  for (let n = 0; n < 200; n++) writeFileSync(`${path}.${process.pid}.${n}.tmp`, 'half of a longer te')
  await realDisk.replace(path, 'new')
  expect(Buffer.from((await realDisk.read(path))!).toString()).toBe('new')
})
