import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ParentOutside } from '../../src/daemon/parent/parent-outside.ts'
import { writeQuestFile } from '../../src/daemon/quests/quest-file.ts'
import type { Run } from '../../src/daemon/runtime/live-run.ts'
import { created, post } from '../core/quest-world.ts'

function world() {
  const root = mkdtempSync(join(tmpdir(), 'quest-file-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const { record } = post(null, created())
  const state = { ...record.state, loop: { ...record.state.loop, directory: join(root, 'copy') } }
  const run = { id: state.id, record: { ...record, state, seq: 0 } } as unknown as Run
  const said: unknown[] = []
  const outside = {
    directoryOf: () => root,
    disk: { replace: (path: string, text: string) => writeFile(path, text) },
    textsOf: () => ({ get: async () => '', put: async (text: string) => text }),
    log: () => {},
    postSurely: async (_run: Run, { notes }: { notes: string[] }) => {
      said.push(...notes)
      Object.assign(state, { notes: [...state.notes, ...notes] })
    },
  } as unknown as ParentOutside
  return { root, run, said, outside, copy: join(root, 'copy', 'quest.json') }
}

/** Each write is by a daemon of its own: nobody remembers what was written last. */
function newDaemons({ run, outside }: ReturnType<typeof world>) {
  return (seq: number) => writeQuestFile(outside, { ...run, record: { ...run.record, seq } } as Run)
}

test('a copy of quest.json that a killed daemon left behind is not taken for an edit [quest-copy]', async () => {
  const quest = world()
  const { said, copy } = quest
  const writes = newDaemons(quest)
  await writes(1)
  const first = readFileSync(copy, 'utf8')
  await writes(2)
  // Killed after it had written its own file, and before the copy.
  writeFileSync(copy, first)
  await writes(3)
  expect(said).toEqual([])
})

test('edits of the copy of quest.json are overwritten and said once [quest-copy]', async () => {
  const quest = world()
  const { root, said, copy } = quest
  const writes = newDaemons(quest)
  await writes(3)
  for (let seq = 4; seq <= 15; seq++) {
    writeFileSync(copy, seq % 2 ? `edit ${seq}` : readFileSync(copy, 'utf8').replace('"kind": "quest"', '"kind": "x"'))
    await writes(seq)
    expect(JSON.parse(readFileSync(copy, 'utf8'))).toMatchObject({ seq, kind: 'quest' })
  }
  expect(said).toEqual([expect.stringMatching(/^somebody changed .*quest\.json, .*; it is restored$/)])
  expect(readdirSync(join(root, 'copy'))).toEqual(['quest.json'])
})

test('an edit of quest.json that was begun before the quest went on is said too [quest-copy]', async () => {
  const { run, said, outside, copy } = world()
  const writes = (seq: number) => {
    Object.assign(run.record, { seq })
    return writeQuestFile(outside, run)
  }
  await writes(1)
  const opened = readFileSync(copy, 'utf8')
  await writes(2)
  writeFileSync(copy, opened.replace('"kind": "quest"', '"kind": "x"'))
  await writes(3)
  expect(said).toEqual([expect.stringMatching(/^somebody changed .*; it is restored$/)])
  expect(JSON.parse(readFileSync(copy, 'utf8'))).toMatchObject({ seq: 3, kind: 'quest' })
})
