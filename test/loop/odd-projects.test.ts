import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunSummary } from '../../src/contract/run.ts'
import { type TempHome, tempHome } from '../support/temp-home.ts'
import { git, gitProject } from './projects.ts'
import { playTwo, TWO } from './two-iterations.ts'

let home: TempHome
beforeAll(async () => {
  home = await tempHome({ client: 'either', scenario: ['Dirty', 'Plain', 'Busy'].flatMap(TWO) })
})
afterAll(() => home[Symbol.asyncDispose]())

function place(name: string): string {
  const path = join(home.root, name)
  mkdirSync(path)
  return path
}

/** The projects of all runs. */
async function projects(): Promise<string[]> {
  const runs = await home.daemon.ask<RunSummary[]>({ path: '/v1/runs' })
  return runs.map(({ project }) => project)
}

test('a dirty tree keeps its bytes, its index and its stash [loop-odd-project]', async () => {
  const project = place('dirty')
  gitProject(project, { 'README.md': 'hello\n', 'half.txt': 'a\n' })
  writeFileSync(join(project, 'half.txt'), 'stashed\n')
  git(project, 'stash', '-q')
  writeFileSync(join(project, 'half.txt'), 'staged\n')
  git(project, 'add', 'half.txt')
  writeFileSync(join(project, 'half.txt'), 'staged and changed\n')
  writeFileSync(join(project, 'mine.txt'), 'untracked\n')
  const seen = () => [
    readFileSync(join(project, '.git/index')).toString('hex'),
    git(project, 'stash', 'list'),
    git(project, 'for-each-ref', 'refs/heads', 'refs/stash'),
    git(project, 'reflog'),
    ...['half.txt', 'mine.txt', 'README.md'].map(name => readFileSync(join(project, name), 'utf8')),
  ]
  // git itself refreshes the index when it is asked for the status.
  git(project, 'status')
  const before = seen()
  const done = await playTwo(home, project, 'Dirty')
  expect(done).toMatchObject({ status: 'complete', proven: true, iteration: 2 })
  expect(seen()).toEqual(before)
  expect(git(project, 'show', `refs/rehoboam/${done.id}/0:half.txt`)).toBe('staged and changed\n')
})

test('without git there are no checkpoints, which is said once; the checks run in place, and nothing is proven [loop-without-git]', async () => {
  const project = place('plain')
  writeFileSync(join(project, 'README.md'), 'hello\n')
  const done = await playTwo(home, project, 'Plain')
  expect(done).toMatchObject({ status: 'complete', cause: 'stop-word', proven: false, iteration: 2 })
  expect(done.notes.filter(note => /git repository/.test(note))).toHaveLength(1)
  expect(done.loop?.iterations.map(({ ward, checkpoint }) => [ward, checkpoint])).toEqual([
    [null, null],
    ['green', null],
  ])
  expect(existsSync(join(project, '.git'))).toBe(false)
})

test('a repository in the middle of a rebase is refused with a sentence, and nothing is made [loop-git-busy]', async () => {
  const project = place('busy')
  gitProject(project)
  git(project, 'checkout', '-qb', 'other')
  writeFileSync(join(project, 'README.md'), 'theirs\n')
  git(project, 'commit', '-qam', 'theirs')
  git(project, 'checkout', '-q', 'main')
  writeFileSync(join(project, 'README.md'), 'mine\n')
  git(project, 'commit', '-qam', 'mine')
  expect(() => git(project, 'rebase', 'other')).toThrow()
  const refused = await home.rehoboam(['spawn', '--loop', '--prompt', 'Busy', '--dir', project, '--no-ward'])
  expect([refused.code, refused.out]).toEqual([1, ''])
  expect(refused.err).toContain('in the middle of a rebase; finish it (git rebase --continue) or end it')
  expect(await projects()).not.toContain(project)
  expect(existsSync(join(project, '.rehoboam'))).toBe(false)
  git(project, 'rebase', '--abort')
  expect(await playTwo(home, project, 'Busy', ['--no-ward'])).toMatchObject({ status: 'complete' })
})
