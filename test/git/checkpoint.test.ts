import { chmodSync, readdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { everything, RUN, scratch } from './scratch.ts'

type Place = ReturnType<typeof scratch>

const take = (place: Place, iteration = 1, parent: string | null = null, directory = place.project) =>
  place.repository.checkpoint({ directory, run: RUN, iteration, parent, subject: `Iteration ${iteration}` })

test('everything in a dirty tree is in the checkpoint, and nothing of the user’s has changed [git-untouched] [git-whole-tree]', async () => {
  using place = scratch()
  place.commit({
    'a.txt': 'one\n',
    'gone.txt': 'x\n',
    'old name': 'moved\n',
    'run.sh': 'echo\n',
    '.gitignore': '*.log\n',
  })
  place.write('stashed', 'x')
  place.git(['stash', '--include-untracked', '--quiet'])
  place.write('a.txt', 'staged\n')
  place.git(['add', 'a.txt'])
  place.write('a.txt', 'changed again\n')
  rmSync(join(place.project, 'gone.txt'))
  renameSync(join(place.project, 'old name'), join(place.project, 'new name'))
  chmodSync(join(place.project, 'run.sh'), 0o755)
  symlinkSync('a.txt', join(place.project, 'link'))
  place.write('promised', 'intent\n')
  place.git(['add', '--intent-to-add', 'promised'])
  place.write('ignored.log', 'x')
  const before = everything(place.project)

  const { commit, tree, leftOut } = await take(place)

  expect(everything(place.project)).toEqual(before)
  expect(leftOut).toEqual([])
  expect(place.filesOf(commit)).toEqual({
    '.gitignore': '*.log\n',
    'a.txt': 'changed again\n',
    link: 'a.txt',
    'new name': 'moved\n',
    promised: 'intent\n',
    'run.sh': 'echo\n',
  })
  const modes = place.git(['ls-tree', commit]).split('\n')
  expect(modes.find(line => line.endsWith('run.sh'))).toMatch(/^100755/)
  expect(modes.find(line => line.endsWith('link'))).toMatch(/^120000/)
  expect(place.git(['rev-parse', `refs/rehoboam/${RUN}/1`, `${commit}^{tree}`]).trim()).toBe(`${commit}\n${tree}`)
  expect(place.git(['rev-parse', `${commit}^`])).toBe(place.git(['rev-parse', 'HEAD']))
})

test('a checkpoint follows the one before, and no temporary file stays [git-whole-tree]', async () => {
  using place = scratch()
  vi.stubEnv('TMPDIR', place.home)
  place.commit()
  const first = await take(place, 1)
  place.write('b.txt', 'two\n')
  const second = await take(place, 2, first.commit)
  expect(place.git(['rev-parse', `${second.commit}^`]).trim()).toBe(first.commit)
  expect(second.tree).not.toBe(first.tree)
  expect(readdirSync(place.home)).toEqual(['.gitconfig'])
})

test('before the first commit a checkpoint is a root commit, and HEAD stays unborn [git-untouched]', async () => {
  using place = scratch()
  place.git(['init', '--quiet'])
  place.write('a.txt', 'one\n')
  const before = everything(place.project)
  const first = await take(place)
  expect(everything(place.project)).toEqual(before)
  expect(place.git(['rev-list', '--count', first.commit]).trim()).toBe('1')
  expect(place.filesOf(first.commit)).toEqual({ 'a.txt': 'one\n' })
  expect(() => place.git(['rev-parse', '--verify', 'HEAD'])).toThrow()
  expect(await take(place)).toEqual(first)
})

test('an empty project has an empty checkpoint [git-whole-tree]', async () => {
  using place = scratch()
  place.git(['init', '--quiet'])
  expect(place.pathsOf((await take(place)).commit)).toEqual([])
})

test('from a subdirectory the whole repository is kept [git-whole-tree]', async () => {
  using place = scratch()
  place.commit({ 'top.txt': '1', 'packages/a/x.txt': '1' })
  place.write('top.txt', '2')
  place.write('new.txt', '2')
  place.write('packages/a/y.txt', '2')
  const { commit } = await take(place, 1, null, join(place.project, 'packages/a'))
  expect(place.filesOf(commit)).toEqual({
    'top.txt': '2',
    'new.txt': '2',
    'packages/a/x.txt': '1',
    'packages/a/y.txt': '2',
  })
})

test('a linked worktree is kept as it is, not the main one [git-whole-tree] [git-untouched]', async () => {
  using place = scratch()
  place.commit()
  const other = join(place.root, 'other')
  place.git(['worktree', 'add', '--quiet', '--detach', other])
  place.write('only here', 'x', other)
  const before = everything(place.project)
  const { commit } = await take(place, 1, null, other)
  expect(place.pathsOf(commit)).toEqual(['a.txt', 'only here'])
  expect(everything(place.project)).toEqual(before)
})

test('files named like nobody names a file are kept, in a place named like that [git-whole-tree]', async () => {
  using place = scratch()
  const hostile = [
    'new\nline',
    '"quoted"',
    "it's",
    'ümläut',
    ' space ',
    '-rf',
    ':(top)x',
    '*',
    'back\\slash',
    'tab\t',
    '[a]',
  ]
  place.commit({ [hostile[0]!]: '1', [hostile[3]!]: '1' })
  for (const name of hostile) place.write(name, name)
  const bytes = Buffer.concat([Buffer.from(`${place.project}/`), Buffer.from([0x66, 0xff, 0xfe])])
  writeFileSync(bytes, 'not text')
  const { commit } = await take(place)
  expect(
    place
      .pathsOf(commit)
      .filter(path => !path.startsWith('f'))
      .sort(),
  ).toEqual([...hostile].sort())
  expect(place.git(['ls-tree', '-r', '--name-only', commit])).toContain('f\\377\\376')
  for (const name of hostile) expect(place.git(['show', `${commit}:${name}`])).toBe(name)
})

test('files of ours are in no checkpoint at any level; what the user committed stays as committed [git-without-ours]', async () => {
  using place = scratch()
  place.commit({ 'a.txt': '1', '.rehoboam/roles/mine.md': 'the user’s', 'sub/.rehoboam/prompts/worker.md': 'theirs' })
  place.write('.rehoboam/anchor.md', 'x')
  place.write('.rehoboam/roles/mine.md', 'changed by an agent')
  place.write('.rehoboam-worker-T1/state.json', 'x')
  place.write('deep/.rehoboam/progress.md', 'x')
  place.write('rehoboam.config.json', '{}')
  place.write('staged/.rehoboam/tasks.md', 'x')
  place.git(['add', 'staged'])
  rmSync(join(place.project, 'sub'), { recursive: true })
  const { commit } = await take(place)
  expect(place.filesOf(commit)).toEqual({
    '.rehoboam/roles/mine.md': 'the user’s',
    'a.txt': '1',
    'rehoboam.config.json': '{}',
    'sub/.rehoboam/prompts/worker.md': 'theirs',
  })
})

test('before the first commit nothing of ours is kept, staged or not [git-without-ours]', async () => {
  using place = scratch()
  place.git(['init', '--quiet'])
  for (const path of ['a.txt', '.rehoboam/roles/r.md', '.rehoboam/tasks.md']) place.write(path, 'x')
  place.git(['add', 'a.txt', '.rehoboam/roles'])
  expect(place.pathsOf((await take(place)).commit)).toEqual(['a.txt'])
})

test('an untracked file over 50 MB is left out and named, also by a second call; a tracked one is kept [git-large-left-out]', async () => {
  using place = scratch()
  place.commit({ 'a.txt': '1', 'tracked.bin': 'small' })
  const large = 50 * 1024 * 1024 + 1
  for (const name of ['tracked.bin', '*big "one"\n']) {
    place.write(name, '')
    truncateSync(join(place.project, name), large)
  }
  place.write('exactly.bin', '')
  truncateSync(join(place.project, 'exactly.bin'), large - 1)
  place.write('*big', 'x')
  const taken = await take(place)
  expect(taken.leftOut).toEqual([{ path: '*big "one"\n', bytes: large, why: 'large' }])
  expect(place.pathsOf(taken.commit)).toEqual(['*big', 'a.txt', 'exactly.bin', 'tracked.bin'])
  expect(await take(place)).toEqual(taken)
})

test('the same iteration again finds the first, also when two are made at once [git-once]', async () => {
  using place = scratch()
  place.commit()
  const first = await take(place)
  place.write('a.txt', 'later')
  expect(await take(place)).toEqual(first)
  place.write('a.txt', 'later still')
  const both = await Promise.all([take(place, 2, first.commit), take(place, 2, first.commit)])
  expect(both[0]).toEqual(both[1])
  expect(place.git(['rev-parse', `refs/rehoboam/${RUN}/2`]).trim()).toBe(both[0].commit)
})

test('a checkpoint is in the user’s name and names its run and iteration [git-identity]', async () => {
  using place = scratch()
  place.commit()
  const { commit } = await place.repository.checkpoint({
    directory: place.project,
    run: RUN,
    iteration: 3,
    parent: null,
    subject: 'two\nlines \u001b[31m',
  })
  expect(place.git(['show', '-s', '--format=%an <%ae>|%cn <%ce>|%s', commit]).trim()).toBe(
    'Ada Lovelace <ada@example.org>|Ada Lovelace <ada@example.org>|two lines  [31m',
  )
  expect(place.git(['show', '-s', '--format=%(trailers:key=Rehoboam-Run,valueonly)', commit]).trim()).toBe(RUN)
})

test('who has not told git their name gets checkpoints in ours [git-identity]', async () => {
  using place = scratch({ identity: false })
  place.commit()
  place.git(['config', 'user.name', 'Only A Name'])
  const { commit } = await take(place)
  const who = 'Rehoboam <rehoboam@localhost>'
  expect(place.git(['show', '-s', '--format=%an <%ae>|%cn <%ce>', commit]).trim()).toBe(`${who}|${who}`)
})

test('hooks that would fail and a demand for signatures change nothing [git-untouched]', async () => {
  using place = scratch()
  place.commit()
  const hooks =
    'applypatch-msg commit-msg post-commit post-index-change pre-commit prepare-commit-msg reference-transaction'
  for (const name of [...hooks.split(' '), 'fsmonitor-watchman', 'post-checkout']) {
    place.write(`.git/hooks/${name}`, `#!/bin/sh\necho ran >> '${place.root}/ran'\nexit 1\n`)
    chmodSync(join(place.project, '.git/hooks', name), 0o755)
  }
  place.git(['config', 'core.fsmonitor', '.git/hooks/fsmonitor-watchman'])
  place.git(['config', 'commit.gpgSign', 'true'])
  place.git(['config', 'gpg.program', '/bin/false'])
  place.git(['config', 'core.logAllRefUpdates', 'always'])
  place.write('b.txt', 'two\n')
  const before = everything(place.root)
  const { commit } = await take(place)
  expect(everything(place.root)).toEqual(before)
  expect(place.pathsOf(commit)).toEqual(['a.txt', 'b.txt'])
  expect(place.git(['cat-file', 'commit', commit])).not.toContain('gpgsig')
})
