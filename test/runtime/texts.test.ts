import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { realDisk } from '../../src/adapters/disk.ts'
import { textsIn } from '../../src/adapters/texts.ts'

function makeTexts() {
  const root = mkdtempSync(join(tmpdir(), 'rehoboam-texts-'))
  const folder = join(root, 'texts')
  return { folder, texts: textsIn(folder, realDisk), [Symbol.dispose]: () => rmSync(root, { recursive: true }) }
}

test('a text comes back as it was, and is kept once however often it is put [runtime-texts]', async () => {
  using home = makeTexts()
  const list = ['plain', '', '\ufeffwith a mark', 'lines\r\n\0\u2028', '🦊 é', 'x'.repeat(1_000_000)]
  for (const text of list) expect(await home.texts.get(await home.texts.put(text))).toBe(text)
  for (const text of list) await home.texts.put(text)
  expect(readdirSync(home.folder)).toHaveLength(list.length)
})

test('a text that somebody changed or took away is refused by name, never given to an agent [runtime-texts]', async () => {
  using home = makeTexts()
  const [ref, other] = [await home.texts.put('do no harm'), await home.texts.put('second')]
  writeFileSync(join(home.folder, ref), 'do harm')
  rmSync(join(home.folder, other))
  await expect(home.texts.get(ref)).rejects.toMatchObject({ code: 'text-changed' })
  await expect(home.texts.get(other)).rejects.toMatchObject({ code: 'text-missing' })
})
