import { expect, test } from 'vitest'
import { git, gitProject } from '../loop/projects.ts'
import { tempHome } from '../support/temp-home.ts'
import { POOL, plan, worker } from './projects.ts'

test('a pool in panes: planner and workers have one each, and all ends merged [pool-panes]', async () => {
  await using home = await tempHome({
    client: 'real',
    scenario: [
      ...plan(['[A] Do the part A', '[B] Do the part B']),
      ...worker('A', 'echo a > a.txt'),
      ...worker('B', 'echo b > b.txt'),
    ],
  })
  gitProject(home.project)
  const ended = await home.rehoboam([...POOL, '--no-ward', '--driver', 'pane', '--wait'])
  expect(ended).toMatchObject({ code: 0 })
  const run = home.runs().find(id => !id.includes('.'))!
  expect(git(home.project, 'ls-tree', '--name-only', `rehoboam/${run}`)).toBe('README.md\na.txt\nb.txt\n')
})
