import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { History } from '../../src/adapters/history/history.ts'
import type { HistoryEntry } from '../../src/adapters/history/history-store.ts'

const DAY_MS = 86_400_000

async function scratch() {
  const folder = await mkdtemp(join(tmpdir(), 'rehoboam-history-'))
  const said: string[] = []
  return {
    path: join(folder, 'history.db'),
    said,
    open: () => new History(join(folder, 'history.db'), 14, line => said.push(line)),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}

function entry(session: string, at: number): HistoryEntry {
  return {
    at,
    session,
    agentId: '',
    name: 'PreToolUse',
    tool: 'Bash',
    words: `Bash: step ${at}`,
    ms: 0,
    failed: at % 2 === 1,
  }
}

test('what an agent did is found at once, in its order, after a restart too, and old things are forgotten [agent-history]', async () => {
  await using place = await scratch()
  const first = place.open()
  for (let at = 0; at < 450; at++) first.add(entry(at % 3 ? 'one' : 'other', at))
  const expected = Array.from({ length: 450 }, (_, at) => at).filter(at => at % 3)
  expect(await first.of('one', 1_000)).toEqual(expected.map(at => entry('one', at)))
  first.add(entry('one', 450))
  await first.close()
  const second = place.open()
  expect((await second.of('one', 2)).map(({ at }) => at)).toEqual([449, 450])
  second.forgetOld(14 * DAY_MS + 449)
  expect((await second.of('one', 1_000)).map(({ at }) => at)).toEqual([449, 450])
  await second.close()
  expect((await stat(place.path)).mode & 0o777).toBe(0o600)
  expect(place.said).toEqual([])
})

test('a damaged history is said, set aside, and begun anew; whoever asks meanwhile gets an answer [agent-history]', async () => {
  await using place = await scratch()
  await writeFile(place.path, 'this is no database, and it is longer than the head of one '.repeat(100))
  const history = place.open()
  history.add(entry('one', 1))
  expect(await history.of('one', 10)).toEqual([entry('one', 1)])
  expect(place.said).toEqual([expect.stringContaining('begun anew')])
  expect((await stat(`${place.path}.damaged`)).isFile()).toBe(true)
  await history.close()
})
