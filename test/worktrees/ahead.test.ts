import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { RUN, scratch } from '../git/scratch.ts'
import { world } from './world.ts'

test('a worktree that was made ahead is set up again when it is moved, and only then [pool-ahead]', async () => {
  using place = scratch()
  place.commit({ 'a.txt': '1\n', 'lock.txt': 'x\n' })
  const older = place.git(['rev-parse', 'HEAD']).trim()
  place.commit({ 'a.txt': '2\n' })
  const newer = place.git(['rev-parse', 'HEAD']).trim()
  const { workplaces } = await world(place)
  // As an installation does: something is built, and a file under version control is written.
  const setup = { command: 'cat a.txt >> built && echo y >> lock.txt', copies: [] }
  const open = (base: string, isUntouched: boolean) =>
    workplaces.open({
      branch: { run: RUN, task: 'T1' },
      project: place.project,
      base,
      isUntouched,
      environment: place.environment,
      setup,
      runDirectory: join(place.root, 'state', 'runs', `${RUN}.T1`),
      signal: new AbortController().signal,
    })
  const read = (root: string) => ['a.txt', 'built', 'lock.txt'].map(name => readFileSync(join(root, name), 'utf8'))
  expect(read((await open(older, true)).root)).toEqual(['1\n', '1\n', 'x\ny\n'])
  expect(read((await open(older, true)).root)).toEqual(['1\n', '1\n', 'x\ny\n'])
  const moved = await open(newer, true)
  expect([moved.tip, moved.problem, ...read(moved.root)]).toEqual([newer, null, '2\n', '1\n2\n', 'x\ny\n'])
  expect(read((await open(newer, true)).root)).toEqual(['2\n', '1\n2\n', 'x\ny\n'])
  expect(read((await open(newer, false)).root)).toEqual(['2\n', '1\n2\n', 'x\ny\n'])
})
