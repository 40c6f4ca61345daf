import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeQuestFile } from '../../src/daemon/quests/quest-file.ts'
import type { QuestOutside } from '../../src/daemon/quests/quest-outside.ts'
import type { Run } from '../../src/daemon/runtime/run.ts'
import { created, post } from '../core/quest-world.ts'

test('what somebody writes into the copy again and again is kept and said ten times, then overwritten [quest-copy]', async () => {
  const root = mkdtempSync(join(tmpdir(), 'quest-file-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const { record } = post(null, created())
  const state = { ...record.state, loop: { ...record.state.loop, directory: join(root, 'copy') } }
  const copy = join(root, 'copy', 'quest.json')
  let said = 0
  const outside = {
    directoryOf: () => root,
    disk: { replace: (path: string, text: string) => writeFile(path, text) },
    textsOf: () => ({ get: async () => '', put: async () => 'a text' }),
    log: () => {},
    postSurely: async () => {
      said += 1
    },
  } as unknown as QuestOutside
  for (let seq = 1; seq <= 15; seq++) {
    await writeQuestFile(outside, { id: state.id, record: { ...record, state, seq } } as unknown as Run)
    expect(JSON.parse(readFileSync(copy, 'utf8'))).toMatchObject({ seq })
    writeFileSync(copy, `edit ${seq}`)
  }
  const kept = readdirSync(join(root, 'copy')).filter(name => name.startsWith('quest.edited-at-'))
  expect([said, kept.length]).toEqual([10, 10])
})
