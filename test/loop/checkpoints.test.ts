import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RunDetail } from '../../src/contract/run.ts'
import { tempHome } from '../support/temp-home.ts'
import { git, gitProject, iterations, iterationsOf } from './projects.ts'

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
  // What it says works as it is typed, beside what the loop left in the files.
  expect(typed(home.project, restored.out, /; (git show \S+) shows/)).toContain('+1\n')
  expect(git(home.project, 'show', `rehoboam-restored/${run}-1:a.txt`)).toBe('1\n')
  expect((await home.rehoboam(['restore', run, '2', '--worktree', join(home.root, 'second')])).code).toBe(0)
  expect(readFileSync(join(home.root, 'second', 'a.txt'), 'utf8')).toBe('2\n')
  const taken = await home.rehoboam(['restore', run, '1'])
  expect(taken.code).not.toBe(0)
  expect(typed(home.project, taken.err, /: (git show \S+)/)).toContain('+1\n')
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

test('a loop that changed nothing names no diff at its end, is not said to be merged, and prune says what to type, wherever [loop-advice]', async () => {
  await using home = await tempHome({
    scenario: [
      ...iterationsOf('Nothing', { runs: 'true', says: 'It was there.\n\nDONE' }),
      ...iterationsOf('Something', { runs: 'echo 1 > a.txt', says: 'It is there.\n\nDONE' }),
    ],
  })
  const odd = join(home.root, "mein Plätz'chen")
  mkdirSync(odd)
  gitProject(odd)
  const loop = (anchor: string, ...more: string[]) =>
    home.rehoboam([
      'spawn',
      '--loop',
      '--prompt',
      anchor,
      '--dir',
      odd,
      '--allowed-tools',
      'Bash',
      '--no-ward',
      ...more,
    ])
  const nothing = await loop('Nothing', '--worktree', '--wait')
  const [run = ''] = home.runs()
  expect([nothing.code, nothing.out]).toEqual([0, expect.not.stringContaining('rehoboam diff')])
  expect((await home.rehoboam(['merge', run])).out).toBe('the run has changed nothing: main stays as it is\n')
  const something = await loop('Something', '--wait')
  const other = home.runs().find(id => id !== run)
  expect(something.out).toContain(`; rehoboam diff ${other} shows it, to go on: rehoboam resume ${other} "<text>"\n`)
  const restored = await home.rehoboam(['restore', other ?? '', '1', '--branch', "it's-$HOME"])
  expect(typed(home.root, restored.out, /; (git -C .*) shows/)).toContain('+1\n')
  const pruned = await home.rehoboam(['prune'])
  const why = new RegExp(`kept branch rehoboam/${run}: it has no commits of its own; (git -C .*) removes it`)
  expect(typed(home.root, pruned.out, why)).toContain(`Deleted branch rehoboam/${run}`)
})

/** What a line says to type, typed. */
function typed(directory: string, words: string, what: RegExp): string {
  const command = what.exec(words)?.[1] ?? `echo "nothing to type in: ${words}"`
  return execFileSync('sh', ['-c', command], { cwd: directory, encoding: 'utf8' })
}

test('the verdict on any iteration that is decided is marked wrong, also the one that ended the loop, and show says so [loop-verdict-wrong]', async () => {
  await using home = await tempHome({ scenario: THREE })
  gitProject(home.project)
  await home.rehoboam(['spawn', '--loop', '--prompt', 'Fill it', '--allowed-tools', 'Bash', '--no-ward', '--wait'])
  const [run = ''] = home.runs()
  expect((await home.rehoboam(['verdict', run, '9', '--wrong', 'x'])).err).toContain('no verdict on an iteration 9')
  expect((await home.rehoboam(['verdict', run, '1', '--wrong', 'it was done'])).code).toBe(0)
  const shown = JSON.parse((await home.rehoboam(['show', run, '--json'])).out) as RunDetail
  expect(shown.loop?.iterations.map(({ markedWrong }) => markedWrong)).toEqual([true, false, false])
  expect(await home.rehoboam(['verdict', run, '3', '--wrong', 'it was not done'])).toMatchObject({ code: 0, err: '' })
  expect((await home.rehoboam(['show', run])).out).toMatch(/3 +finished.*claim \(stop-word\), marked wrong/)
  expect((await home.rehoboam(['show', run])).out).toMatch(/1 +finished.*marked wrong/)
})

test('a role that nobody knows is refused by name [loop-role]', async () => {
  await using home = await tempHome()
  const { code, err } = await home.rehoboam(['spawn', '--loop', '--prompt', 'Plan it', '--role', 'boss', '--no-ward'])
  expect([code, err]).toEqual([2, expect.stringContaining('the role "boss" is not known')])
})
