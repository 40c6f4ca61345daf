import { expect, test } from 'vitest'
import { git, gitProject } from '../loop/projects.ts'
import { tempHome } from '../support/temp-home.ts'
import { begins, rests, simply, startQuest } from './story.ts'

test('a plan of two steps is complete, proven and on the result branch [quest-flow]', async () => {
  const scenario = [...begins([{ id: 'one' }, { id: 'two', dependsOn: ['one'] }]), ...simply(['one', 'two'])]
  await using home = await tempHome({ client: 'puppet', scenario })
  gitProject(home.project, { 'README.md': 'hello\n' })
  const run = await startQuest(home, { ward: ['test -e README.md'] })
  const found = await rests(home, run)
  expect(found).toMatchObject({ status: 'complete', proven: true })
  expect(git(home.project, 'ls-tree', '-r', '--name-only', `rehoboam/${run}`).trim().split('\n')).toEqual([
    'README.md',
    'one.txt',
    'two.txt',
  ])
}, 200_000)
