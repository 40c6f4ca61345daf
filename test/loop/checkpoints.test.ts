import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RunDetail } from '../../src/contract/run.ts'
import { tempHome } from '../support/temp-home.ts'
import { git, gitProject, iterations } from './projects.ts'

const THREE = iterations(
  { runs: 'echo 1 > a.txt', says: 'One of three is there.' },
  { runs: 'echo 2 > a.txt', says: 'Two of three are there.' },
  { runs: 'echo 3 > a.txt', says: 'All of it is there.\n\nDONE' },
)

test('diff shows what a loop has changed, restore takes an iteration out beside the user’s work, prune removes worktrees and says what it keeps [loop-checkpoints]', async () => {
  await using home = await tempHome({ scenario: THREE })
  gitProject(home.project)
  mkdirSync(join(home.project, '.rehoboam', 'prompts'), { recursive: true })
  writeFileSync(join(home.project, '.rehoboam', 'prompts', 'auto.md'), 'Work as the house does.')
  const words = ['spawn', '--loop', '--prompt', 'Fill it', '--allowed-tools', 'Bash', '--ward', 'test -e README.md']
  expect((await home.rehoboam([...words, '--wait'])).code).toBe(0)
  const [run = ''] = home.runs()
  // The user's own words for the role stand where ours would.
  expect(home.model.asked.every(({ prompt }) => prompt.includes('Work as the house does.'))).toBe(true)

  expect((await home.rehoboam(['diff', run])).out).toContain('+3')
  expect((await home.rehoboam(['diff', run, '--stat'])).out).toContain('a.txt')
  const branch = git(home.project, 'branch', '--show-current')
  const restored = await home.rehoboam(['restore', run, '1'])
  expect(restored).toMatchObject({ code: 0, out: expect.stringContaining(`rehoboam-restored/${run}-1`) })
  expect(git(home.project, 'show', `rehoboam-restored/${run}-1:a.txt`)).toBe('1\n')
  expect((await home.rehoboam(['restore', run, '2', '--worktree', join(home.root, 'second')])).code).toBe(0)
  expect(readFileSync(join(home.root, 'second', 'a.txt'), 'utf8')).toBe('2\n')
  expect((await home.rehoboam(['restore', run, '1'])).code).not.toBe(0)
  expect((await home.rehoboam(['restore', run, '9'])).err).toContain('no checkpoint of iteration 9')
  // Nothing of the user's has moved.
  expect(git(home.project, 'branch', '--show-current')).toBe(branch)
  expect(readFileSync(join(home.project, 'a.txt'), 'utf8')).toBe('3\n')

  const pruned = await home.rehoboam(['prune'])
  expect(pruned.out).toMatch(new RegExp(`removed \\S*${run}-ward`))
  expect(pruned.out).toContain(`kept 4 checkpoints of run ${run}`)
  expect((await home.rehoboam(['prune', '--checkpoints', run])).out).toContain(`removed 4 checkpoints of run ${run}`)
  expect(git(home.project, 'for-each-ref', 'refs/rehoboam')).toBe('')
})

test('a verdict is marked wrong, once there is one, and show says so [loop-verdict-wrong]', async () => {
  await using home = await tempHome({ scenario: THREE })
  gitProject(home.project)
  await home.rehoboam(['spawn', '--loop', '--prompt', 'Fill it', '--allowed-tools', 'Bash', '--no-ward', '--wait'])
  const [run = ''] = home.runs()
  expect((await home.rehoboam(['verdict', run, '9', '--wrong', 'x'])).err).toContain('no verdict on an iteration 9')
  expect((await home.rehoboam(['verdict', run, '1', '--wrong', 'it was done'])).code).toBe(0)
  const shown = JSON.parse((await home.rehoboam(['show', run, '--json'])).out) as RunDetail
  expect(shown.loop?.iterations.map(({ markedWrong }) => markedWrong)).toEqual([true, false, false])
  expect((await home.rehoboam(['show', run])).out).toMatch(/1 +finished.*marked wrong/)
})

test('a role that nobody knows is refused by name [loop-role]', async () => {
  await using home = await tempHome()
  const { code, err } = await home.rehoboam(['spawn', '--loop', '--prompt', 'Plan it', '--role', 'boss', '--no-ward'])
  expect([code, err]).toEqual([2, expect.stringContaining('the role "boss" is not known')])
})
