import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RunDetail } from '../../src/contract/run.ts'
import { untilStatus } from '../session/runs.ts'
import { type TempHome, tempHome } from '../support/temp-home.ts'
import { git, gitProject, iterationsOf, spawnLoop } from './projects.ts'

const WARD = ['--ward', 'grep -q two new.txt']
/** Two iterations, of which only the second makes the check green. */
const TWO = (anchor: string) =>
  iterationsOf(
    anchor,
    { runs: 'echo one > new.txt; cat README.md', says: 'One of two is there.' },
    { runs: 'echo two > new.txt', says: 'Both are there.\n\nDONE' },
  )

async function looped(home: TempHome, directory: string, anchor: string, args = WARD): Promise<RunDetail> {
  return untilStatus(home, await spawnLoop(home, directory, anchor, args), 'complete', 'stalled', 'failed', 'paused')
}

test('a loop works in a path with blanks, umlauts and quotes, on an unborn HEAD, a detached one, and with a submodule [loop-odd-project]', async () => {
  await using home = await tempHome({
    client: 'real',
    scenario: [...TWO('Quotes'), ...TWO('Unborn'), ...TWO('Detached'), ...TWO('Sub')],
  })
  const place = (name: string) => {
    const path = join(home.root, name)
    mkdirSync(path)
    return path
  }
  const quotes = place(`a 'b' "ü" $(c)`)
  gitProject(quotes)
  const unborn = place('unborn')
  git(unborn, 'init', '-q', '-b', 'main')
  writeFileSync(join(unborn, 'README.md'), 'hello\n')
  const detached = place('detached')
  gitProject(detached)
  git(detached, 'checkout', '-q', '--detach')
  const library = place('library')
  gitProject(library)
  const outer = place('outer')
  gitProject(outer)
  git(outer, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'lib')
  git(outer, 'commit', '-qm', 'with a submodule')
  const before = [quotes, detached, outer].map(path => git(path, 'rev-parse', 'HEAD'))

  const done = await Promise.all([
    looped(home, quotes, 'Quotes'),
    looped(home, unborn, 'Unborn'),
    looped(home, detached, 'Detached'),
    looped(home, outer, 'Sub'),
  ])
  const expected = { status: 'complete', cause: 'stop-word', proven: true, iteration: 2 }
  expect(done).toMatchObject([expected, expected, expected, expected])
  for (const [n, directory] of [quotes, unborn, detached, outer].entries()) {
    const ref = `refs/rehoboam/${done[n]!.id}/2`
    expect(git(directory, 'show', `${ref}:new.txt`)).toBe('two\n')
    expect(git(directory, 'status', '--porcelain')).toBe(
      directory === unborn ? '?? README.md\n?? new.txt\n' : '?? new.txt\n',
    )
  }
  expect([quotes, detached, outer].map(path => git(path, 'rev-parse', 'HEAD'))).toEqual(before)
  expect(() => git(unborn, 'rev-parse', '--verify', '-q', 'HEAD')).toThrow()
  expect(() => git(detached, 'symbolic-ref', '-q', 'HEAD')).toThrow()
  expect(git(outer, 'submodule', 'status')).toMatch(/^ [0-9a-f]{40} lib/)
})

test('a dirty tree keeps its bytes, its index and its stash [loop-odd-project]', async () => {
  await using home = await tempHome({ client: 'real', scenario: TWO('Dirty') })
  const { project } = home
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
  const done = await looped(home, project, 'Dirty')
  expect(done).toMatchObject({ status: 'complete', proven: true, iteration: 2 })
  expect(seen()).toEqual(before)
  expect(git(project, 'show', `refs/rehoboam/${done.id}/0:half.txt`)).toBe('staged and changed\n')
})

test('without git there are no checkpoints, which is said once; the checks run in place, and nothing is proven [loop-without-git]', async () => {
  await using home = await tempHome({ client: 'real', scenario: TWO('Plain') })
  writeFileSync(join(home.project, 'README.md'), 'hello\n')
  const done = await looped(home, home.project, 'Plain')
  expect(done).toMatchObject({ status: 'complete', cause: 'stop-word', proven: false, iteration: 2 })
  expect(done.notes.filter(note => /git repository/.test(note))).toHaveLength(1)
  expect(done.loop?.iterations.map(({ ward, checkpoint }) => [ward, checkpoint])).toEqual([
    [null, null],
    ['green', null],
  ])
  expect(existsSync(join(home.project, '.git'))).toBe(false)
})

test('a repository in the middle of a rebase is refused with a sentence, and nothing is made [loop-git-busy]', async () => {
  await using home = await tempHome({ scenario: TWO('Busy') })
  const { project } = home
  gitProject(project)
  git(project, 'checkout', '-qb', 'other')
  writeFileSync(join(project, 'README.md'), 'theirs\n')
  git(project, 'commit', '-qam', 'theirs')
  git(project, 'checkout', '-q', 'main')
  writeFileSync(join(project, 'README.md'), 'mine\n')
  git(project, 'commit', '-qam', 'mine')
  expect(() => git(project, 'rebase', 'other')).toThrow()
  const refused = await home.rehoboam(['spawn', '--loop', '--prompt', 'Busy', '--no-ward'])
  expect([refused.code, refused.out]).toEqual([1, ''])
  expect(refused.err).toContain('in the middle of a rebase; finish it (git rebase --continue) or end it')
  expect([home.runs(), existsSync(join(project, '.rehoboam'))]).toEqual([[], false])
  git(project, 'rebase', '--abort')
  expect(await looped(home, project, 'Busy', ['--no-ward'])).toMatchObject({ status: 'complete' })
})
