import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gitRepository } from '../../src/adapters/git/git-repository.ts'
import { RUN, scratch } from './scratch.ts'

test('a repository is seen as it stands, from any directory inside [git-state]', async () => {
  using place = scratch()
  const head = place.commit({ 'a.txt': 'one\n', 'deep/er/b.txt': 'two\n' })
  expect(await place.repository.repositoryAt(join(place.project, 'deep/er'))).toEqual({
    root: place.project,
    gitDir: join(place.project, '.git'),
    commonDir: join(place.project, '.git'),
    head,
    branch: 'main',
    inProgress: null,
    dirty: [],
    hasSubmodules: false,
  })
})

test('changed, deleted, staged and new files are dirty, whatever they are called; ours are not [git-state]', async () => {
  using place = scratch()
  place.commit({ 'a.txt': 'one\n', 'gone.txt': 'x', 'ü "q".txt': 'x' })
  place.write('ü "q".txt', 'changed')
  rmSync(join(place.project, 'gone.txt'))
  place.write('new\nline', 'x')
  place.write('staged', 'x')
  place.git(['add', 'staged'])
  place.write('.rehoboam/anchor.md', 'x')
  const state = await place.repository.repositoryAt(place.project)
  expect(state?.dirty.sort()).toEqual(['gone.txt', 'new\nline', 'staged', 'ü "q".txt'])
})

test('a repository without a commit has a branch and no head [git-state]', async () => {
  using place = scratch()
  place.git(['init', '--quiet'])
  expect(await place.repository.repositoryAt(place.project)).toMatchObject({ head: null, branch: 'main', dirty: [] })
})

test('a detached head has no branch [git-state]', async () => {
  using place = scratch()
  const head = place.commit()
  place.git(['checkout', '--quiet', '--detach'])
  expect(await place.repository.repositoryAt(place.project)).toMatchObject({ head, branch: null })
})

test('a linked worktree has its own state and shares the repository [git-state]', async () => {
  using place = scratch()
  place.commit()
  const other = join(place.root, 'other\ntree')
  place.git(['worktree', 'add', '--quiet', '-b', 'feature/x', other])
  expect(await place.repository.repositoryAt(other)).toMatchObject({
    root: other,
    branch: 'feature/x',
    commonDir: join(place.project, '.git'),
    gitDir: expect.stringContaining(join(place.project, '.git/worktrees/')),
  })
})

const conflicts = [
  { what: 'rebase', words: ['rebase', 'side'] },
  { what: 'merge', words: ['merge', 'side'] },
  { what: 'cherry-pick', words: ['cherry-pick', 'side'] },
  { what: 'revert', words: ['revert', '--no-edit', 'HEAD~1'] },
  { what: 'rebase', words: ['rebase', '--apply', 'side'] },
]
test.each(conflicts)('being in the middle of "git $words.0 $words.1" is seen as $what [git-state]', async each => {
  using place = scratch()
  place.commit({ 'a.txt': 'one\n' })
  place.git(['checkout', '-qb', 'side'])
  place.write('a.txt', 'side\n')
  place.git(['commit', '-qam', 'side'])
  place.git(['checkout', '-q', 'main'])
  for (const text of ['two\n', 'three\n']) {
    place.write('a.txt', text)
    place.git(['commit', '-qam', text])
  }
  expect(() => place.git(each.words)).toThrow()
  expect(await place.repository.repositoryAt(place.project)).toMatchObject({ inProgress: each.what })
})

test('a bisection and a stopped series of patches are seen [git-state]', async () => {
  using place = scratch()
  place.commit()
  place.git(['bisect', 'start'])
  expect(await place.repository.repositoryAt(place.project)).toMatchObject({ inProgress: 'bisect' })
  place.git(['bisect', 'reset'])
  writeFileSync(
    join(place.root, 'bad.patch'),
    'From: a <a@b>\nSubject: x\n\n---\n a.txt | 1 +\n\ndiff --git a/no b/no\n--- a/no\n+++ b/no\n@@ -1 +1 @@\n-x\n+y\n',
  )
  expect(() => place.git(['am', join(place.root, 'bad.patch')])).toThrow()
  expect(await place.repository.repositoryAt(place.project)).toMatchObject({ inProgress: 'am' })
})

test('a directory outside of any repository has none, and so has one beside an empty .git [git-state]', async () => {
  using place = scratch()
  expect(await place.repository.repositoryAt(place.project)).toBeNull()
  mkdirSync(join(place.project, '.git'))
  expect(await place.repository.repositoryAt(place.project)).toBeNull()
  const request = { directory: place.project, run: RUN, iteration: 1, parent: null, subject: 'x' }
  await expect(place.repository.checkpoint(request)).rejects.toMatchObject({ code: 'git-none' })
})

test('a bare repository, and the inside of .git, have no working files [git-state]', async () => {
  using place = scratch()
  place.commit()
  place.git(['clone', '--quiet', '--bare', place.project, join(place.root, 'bare')])
  for (const directory of [join(place.root, 'bare'), join(place.project, '.git')]) {
    await expect(place.repository.repositoryAt(directory)).rejects.toMatchObject({ code: 'git-no-work-tree' })
  }
})

test('a broken repository is said to be broken, not taken for none [git-state]', async () => {
  using place = scratch()
  place.commit()
  rmSync(join(place.project, '.git/HEAD'))
  await expect(place.repository.repositoryAt(place.project)).rejects.toMatchObject({ code: 'git-broken' })
  rmSync(join(place.project, '.git'), { recursive: true })
  for (const text of ['gitdir: ../nowhere\n', 'rubbish']) {
    writeFileSync(join(place.project, '.git'), text)
    await expect(place.repository.repositoryAt(place.project)).rejects.toMatchObject({ code: 'git-broken' })
  }
})

test('a broken index is said, by a look and by a checkpoint, with the way out [git-state]', async () => {
  using place = scratch()
  place.commit()
  const request = { directory: place.project, run: RUN, iteration: 1, parent: null, subject: 'x' }
  for (const rubbish of ['', 'rubbish', 'DIRC rubbish that is longer than a header'.repeat(9)]) {
    place.write('.git/index', rubbish)
    const broken = { code: 'git-broken', message: expect.stringContaining('git reset') }
    await expect(place.repository.repositoryAt(place.project)).rejects.toMatchObject(broken)
    await expect(place.repository.checkpoint(request)).rejects.toMatchObject(broken)
  }
})

test('a missing directory, a missing git and a repository of somebody else are three sentences [git-state]', async () => {
  using place = scratch()
  place.commit()
  await expect(place.repository.repositoryAt(join(place.root, 'gone'))).rejects.toMatchObject({
    code: 'directory-missing',
  })
  const without = gitRepository({ ...place.environment, PATH: place.root })
  await expect(without.repositoryAt(place.project)).rejects.toMatchObject({ code: 'git-missing' })

  // git's own switch for its own test of this refusal, set by a program before it on the PATH.
  const refused = place.repositoryThrough(real => `export GIT_TEST_ASSUME_DIFFERENT_OWNER=1\nexec ${real} "$@"`)
  await expect(refused.repositoryAt(place.project)).rejects.toMatchObject({
    code: 'git-unsafe',
    message: expect.stringContaining('git config --global --add safe.directory'),
  })
})

test('what the caller’s environment says about another repository is not heard [git-state]', async () => {
  using place = scratch()
  place.commit()
  const other = join(place.root, 'other')
  place.commit({ x: 'y' }, other)
  const confused = gitRepository({ ...place.environment, GIT_DIR: join(other, '.git'), GIT_WORK_TREE: other })
  expect(await confused.repositoryAt(place.project)).toMatchObject({ root: place.project })
})

test('a project reached through a symbolic link is the repository behind it [git-state]', async () => {
  using place = scratch()
  place.commit()
  symlinkSync(place.project, join(place.root, 'link'))
  expect(await place.repository.repositoryAt(join(place.root, 'link'))).toMatchObject({ root: place.project })
})
