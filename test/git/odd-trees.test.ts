import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PLAYS_ALL } from '../support/plays-all.ts'
import { until } from '../support/until.ts'
import { everything, RUN, scratch } from './scratch.ts'

type Place = ReturnType<typeof scratch>

const take = async (place: Place, iteration = 1, repository = place.repository) => {
  const before = everything(place.project)
  const taken = await repository.checkpoint({
    directory: place.project,
    run: RUN,
    iteration,
    parent: null,
    subject: 'x',
  })
  expect(everything(place.project)).toEqual(before)
  return taken
}

test('a submodule’s link stays as it is, with its own commits ahead, dirty or not there at all [git-submodule]', async () => {
  using place = scratch()
  const library = join(place.root, 'library')
  const first = place.commit({ 'lib.txt': '1' }, library)
  place.commit()
  place.git(['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'lib "x"'])
  place.git(['commit', '-qm', 'with a submodule'])
  expect(await place.repository.repositoryAt(place.project)).toMatchObject({ hasSubmodules: true, dirty: [] })
  const inside = join(place.project, 'lib "x"')
  const linkOf = (commit: string) => place.git(['rev-parse', `${commit}:lib "x"`]).trim()

  place.write('lib.txt', '2', inside)
  place.git(['commit', '-qam', 'ahead'], inside)
  place.write('lib.txt', '3', inside)
  place.write('b.txt', 'x')
  const ahead = await take(place, 1)
  expect(place.pathsOf(ahead.commit)).toEqual(['.gitmodules', 'a.txt', 'b.txt', 'lib "x"'])
  expect(linkOf(ahead.commit)).toBe(first)

  rmSync(inside, { recursive: true })
  expect(linkOf((await take(place, 2)).commit)).toBe(first)
})

test('a repository inside the project is left out and named, with commits or without [git-submodule]', async () => {
  using place = scratch()
  place.commit()
  place.commit({ x: '1' }, join(place.project, 'cloned'))
  mkdirSync(join(place.project, 'started'))
  place.git(['init', '--quiet'], join(place.project, 'started'))
  place.write('started/y', '1')
  const { commit, leftOut } = await take(place)
  expect(leftOut.map(({ path, why }) => `${path} ${why}`).sort()).toEqual(['cloned/ repository', 'started/ repository'])
  expect(place.pathsOf(commit)).toEqual(['a.txt'])
})

test('another worktree inside the project is no part of it, and nothing is missing without it [git-submodule]', async () => {
  using place = scratch()
  place.commit()
  place.git(['worktree', 'add', '--quiet', '--detach', '.worktrees/feature'])
  place.write('.worktrees/notes', 'x')
  const { commit, leftOut } = await take(place)
  expect(leftOut).toEqual([])
  expect(place.pathsOf(commit)).toEqual(['.worktrees/notes', 'a.txt'])
})

test('a project that is itself a submodule is a repository like any other [git-submodule]', async () => {
  using place = scratch()
  const library = join(place.root, 'library')
  place.commit({ 'lib.txt': '1' }, library)
  place.commit()
  place.git(['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'lib'])
  const directory = join(place.project, 'lib')
  place.write('new', '2', directory)
  const request = { directory, run: RUN, iteration: 1, parent: null, subject: 'x' }
  const { commit } = await place.repository.checkpoint(request)
  expect(place.pathsOf(commit, directory)).toEqual(['lib.txt', 'new'])
  const path = join(place.root, 'ward')
  await place.repository.cleanWorktree({ repository: directory, commit, path })
  expect(await place.repository.cleanWorktree({ repository: directory, commit, path })).toMatchObject({ reused: true })
  expect(readdirSync(path).sort()).toEqual(['.git', 'lib.txt', 'new'])
})

test('a repository with the longer kind of ids serves as well [git-whole-tree]', async () => {
  using place = scratch()
  place.git(['init', '--quiet', '--object-format=sha256'])
  place.write('.rehoboam/x', '1')
  place.write('a', '1')
  place.git(['add', '--all'])
  const first = await take(place, 1)
  expect(first.commit).toMatch(/^[0-9a-f]{64}$/)
  expect(place.pathsOf(first.commit)).toEqual(['a'])
  expect((await place.repository.refsOf({ directory: place.project, run: RUN })).length).toBe(1)
})

test('pipes are nothing to keep, and a file that became one is named [git-whole-tree]', async () => {
  using place = scratch()
  place.commit({ 'a.txt': '1', 'b.txt': '1' })
  rmSync(join(place.project, 'a.txt'))
  for (const name of ['a.txt', 'pipe']) execFileSync('mkfifo', [join(place.project, name)])
  place.write('b.txt', '2')
  const request = { directory: place.project, run: RUN, iteration: 1, parent: null, subject: 'x' }
  const { commit, leftOut } = await place.repository.checkpoint(request)
  expect(place.filesOf(commit)).toMatchObject({ 'b.txt': '2' })
  expect(place.pathsOf(commit)).not.toContain('pipe')
  expect(leftOut.map(({ path }) => path)).toEqual(['a.txt'])
})

test('files that became directories or links, and the other way round, are kept as they are now [git-whole-tree]', async () => {
  using place = scratch()
  place.commit({ 'file/that was/dir': '1', dir: '2', 'linked/x': '3', 'real/x': '3' })
  rmSync(join(place.project, 'file'), { recursive: true })
  place.write('file', 'now a file')
  rmSync(join(place.project, 'dir'))
  place.write('dir/inside', 'now a directory')
  rmSync(join(place.project, 'linked'), { recursive: true })
  symlinkSync('real', join(place.project, 'linked'))
  const { commit } = await take(place)
  expect(place.filesOf(commit)).toEqual({
    'dir/inside': 'now a directory',
    file: 'now a file',
    linked: 'real',
    'real/x': '3',
  })
})

test('in the middle of a conflict the files are kept as they lie there [git-whole-tree]', async () => {
  using place = scratch()
  place.commit({ 'a.txt': 'one\n', 'gone.txt': 'one\n' })
  place.git(['checkout', '-qb', 'side'])
  for (const name of ['a.txt', 'gone.txt']) place.write(name, 'side\n')
  place.git(['commit', '-qam', 'side'])
  place.git(['checkout', '-q', 'main'])
  for (const name of ['a.txt', 'gone.txt']) place.write(name, 'main\n')
  place.git(['commit', '-qam', 'main'])
  expect(() => place.git(['merge', 'side'])).toThrow()
  rmSync(join(place.project, 'gone.txt'))
  const { commit } = await take(place)
  expect(place.filesOf(commit)).toEqual({ 'a.txt': place.read('a.txt') })
  expect(place.read('a.txt')).toContain('<<<<<<<')
})

test('a sparse checkout keeps what is not checked out, and takes new files anywhere [git-whole-tree]', async () => {
  using place = scratch()
  place.commit({ 'in/a': '1', 'out/b': '1', 'out/c': '1' })
  place.git(['sparse-checkout', 'set', '--cone', 'in'])
  place.write('in/a', '2')
  place.write('out/new', '2')
  const { commit } = await take(place)
  expect(place.filesOf(commit)).toEqual({ 'in/a': '2', 'out/b': '1', 'out/c': '1', 'out/new': '2' })
})

test('what the user told git not to look at stays as it was committed [git-whole-tree]', async () => {
  using place = scratch()
  place.commit({ assumed: '1', skipped: '1', other: '1' })
  place.git(['update-index', '--assume-unchanged', 'assumed'])
  place.git(['update-index', '--skip-worktree', 'skipped'])
  for (const name of ['assumed', 'skipped', 'other']) place.write(name, 'secret of this machine')
  const { commit } = await take(place)
  expect(place.filesOf(commit)).toEqual({ assumed: '1', skipped: '1', other: 'secret of this machine' })
})

test('line ends are what the user’s own commit would make of them [git-whole-tree]', async () => {
  using place = scratch()
  place.commit({ 'a.txt': 'one\n' })
  place.git(['config', 'core.autocrlf', 'true'])
  place.git(['config', 'core.safecrlf', 'true'])
  place.write('a.txt', 'one\r\ntwo\r\n')
  place.write('mixed.txt', 'one\r\ntwo\n')
  const { commit } = await take(place)
  expect(place.filesOf(commit)).toEqual({ 'a.txt': 'one\ntwo\n', 'mixed.txt': 'one\ntwo\n' })
})

const indexes = [
  { kind: 'version 4', words: ['update-index', '--index-version', '4'] },
  { kind: 'split', words: ['update-index', '--split-index'] },
  { kind: 'with a cache of untracked files', words: ['update-index', '--force-untracked-cache'] },
]
test.each(indexes)(
  'an index that is $kind serves as well, and stays as it is [git-untouched] [git-without-ours]',
  async each => {
    using place = scratch()
    place.commit({ 'a.txt': '1', '.rehoboam/roles/r.md': '1' })
    place.git(['config', 'core.splitIndex', String(each.kind === 'split')])
    place.git(each.words)
    place.write('.rehoboam/staged.md', 'x')
    place.git(['add', '--force', '.rehoboam'])
    place.write('b.txt', '2')
    const { commit } = await take(place)
    expect(place.pathsOf(commit)).toEqual(['.rehoboam/roles/r.md', 'a.txt', 'b.txt'])
  },
)

test('a lock that the user’s own git holds does not matter, nor does a missing index [git-untouched]', async () => {
  using place = scratch()
  place.commit()
  place.write('b.txt', '2')
  place.write('.git/index.lock', '')
  expect(place.pathsOf((await take(place, 1)).commit)).toEqual(['a.txt', 'b.txt'])
  rmSync(join(place.project, '.git/index'))
  expect(place.pathsOf((await take(place, 2)).commit)).toEqual(['a.txt', 'b.txt'])
})

test('an edit of the same size in the same moment as the user’s last git command is seen [git-whole-tree]', async () => {
  using place = scratch()
  place.commit({ 'a.txt': 'one\n' })
  const index = join(place.project, '.git/index')
  const file = join(place.project, 'a.txt')
  // In the index's own moment, as git sees it: same size, same time, and an index that is not newer than the file.
  const { mtime } = statSync(file)
  writeFileSync(file, 'two\n')
  utimesSync(file, mtime, mtime)
  utimesSync(index, mtime, mtime)
  place.git(['config', 'core.trustctime', 'false'])
  expect(place.filesOf((await take(place)).commit)).toEqual({ 'a.txt': 'two\n' })
})

// Somebody keeps a core busy meanwhile.
const CHECKPOINTS = PLAYS_ALL ? 8 : 3

test('a tree that never holds still is kept as far as it holds still [git-whole-tree]', async () => {
  using place = scratch()
  const still = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`still/${at}`, `${at}`]))
  place.commit({ ...still, 'moving/0': 'x' })
  const script = `
    const fs = require('node:fs'), at = ${JSON.stringify(join(place.project, 'moving/'))}
    for (let n = 0; ; n++) {
      fs.writeFileSync(at + n % 7, 'x'.repeat(n % 90000)); fs.rmSync(at + (n + 3) % 7, { force: true })
      if (n === 20) fs.writeFileSync(at + 'started', '')
    }`
  const child = spawn(process.execPath, ['-e', script], { stdio: 'ignore' })
  try {
    await until(() => statSync(join(place.project, 'moving/started'), { throwIfNoEntry: false }), 'it to move')
    for (let iteration = 1; iteration <= CHECKPOINTS; iteration++) {
      const request = { directory: place.project, run: RUN, iteration, parent: null, subject: 'x' }
      const { commit } = await place.repository.checkpoint(request)
      expect(place.pathsOf(commit).filter(path => path.startsWith('still/')).length).toBe(40)
    }
  } finally {
    child.kill('SIGKILL')
  }
})

test('what appears at the last moment and cannot be kept is named [git-whole-tree]', async () => {
  using place = scratch()
  place.commit()
  place.write('b.txt', '2')
  // Somebody runs "git init" between our look at the tree and our copy of it, whenever we take one.
  const repository = place.repositoryThrough(
    real => `case " $* " in *' add '*) ${real} init -q "$LATE-$$";; esac\nexec ${real} "$@"`,
    { LATE: join(place.project, 'late') },
  )
  const { commit, leftOut } = await repository.checkpoint({
    directory: place.project,
    run: RUN,
    iteration: 1,
    parent: null,
    subject: 'x',
  })
  expect(leftOut).toContainEqual({ path: expect.any(String), bytes: expect.any(Number), why: 'unreadable' })
  expect(leftOut.filter(({ path }) => !/^late-\d+\/$/.test(path))).toEqual([])
  expect(place.pathsOf(commit)).toEqual(['a.txt', 'b.txt'])
})

test('a disk that is full is said, and the next call makes the checkpoint [git-whole-tree]', async () => {
  using place = scratch()
  place.commit()
  place.write('b.txt', '2')
  const full = 'error: unable to write file: No space left on device'
  const repository = place.repositoryThrough(
    real => `case " $* " in *' commit-tree '*) echo '${full}' >&2; exit 128;; esac\nexec ${real} "$@"`,
  )
  const failed = take(place, 1, repository)
  await expect(failed).rejects.toMatchObject({ code: 'git-disk-full' })
  expect(place.pathsOf((await take(place, 1)).commit)).toEqual(['a.txt', 'b.txt'])
})
