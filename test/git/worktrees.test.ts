import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { OUR_LOCK } from '../../src/adapters/git/worktrees.ts'
import { until } from '../support/until.ts'
import { everything, RUN, scratch } from './scratch.ts'

type Place = ReturnType<typeof scratch>

const take = async (place: Place, iteration = 1) => {
  const request = { directory: place.project, run: RUN, iteration, parent: null, subject: 'x' }
  return (await place.repository.checkpoint(request)).commit
}

/** A worktree of ours, below a directory that is not there yet. */
const clean = (place: Place, commit: string, keep: string[] = []) =>
  place.repository.cleanWorktree({ repository: place.project, commit, path: pathOf(place), keep })

const pathOf = (place: Place) => join(place.root, 'state/worktrees', `${RUN} "ward"`)
const statusOf = (place: Place) => place.git(['status', '--porcelain', '--ignored'], pathOf(place))

test('a checkpoint is checked out in a worktree of ours; the user’s own tree does not notice [git-worktree]', async () => {
  using place = scratch()
  place.commit()
  place.write('.git/hooks/post-checkout', '#!/bin/sh\nexit 1\n')
  chmodSync(join(place.project, '.git/hooks/post-checkout'), 0o755)
  place.write('new', '2')
  const commit = await take(place)
  const before = everything(place.project)
  expect(await clean(place, commit)).toEqual({ path: pathOf(place), reused: false })
  expect(readFileSync(join(pathOf(place), 'new'), 'utf8')).toBe('2')
  expect(place.git(['rev-parse', '--abbrev-ref', 'HEAD'], pathOf(place)).trim()).toBe('HEAD')
  expect(statusOf(place)).toBe('')

  expect(await place.repository.removeWorktree({ repository: place.project, path: pathOf(place) })).toBe(true)
  expect(existsSync(pathOf(place))).toBe(false)
  expect(everything(place.project)).toEqual(before)
  expect(await place.repository.removeWorktree({ repository: place.project, path: pathOf(place) })).toBe(false)
})

test('it works before the first commit, and in a project inside a bigger repository [git-worktree]', async () => {
  using place = scratch()
  place.git(['init', '--quiet'])
  place.write('packages/a/x', '1')
  const commit = await take(place)
  const repository = join(place.project, 'packages/a')
  await place.repository.cleanWorktree({ repository, commit, path: pathOf(place) })
  expect(existsSync(join(pathOf(place), 'packages/a/x'))).toBe(true)
  expect(() => place.git(['rev-parse', '--verify', 'HEAD'])).toThrow()
})

test('used again it is exactly the next checkpoint, apart from what is to be kept [git-worktree]', async () => {
  using place = scratch()
  place.commit({ 'a.txt': '1', '.gitignore': 'node_modules\ndist\n' })
  await clean(place, await take(place, 1))
  const inside = (path: string, text: string) => place.write(path, text, pathOf(place))
  for (const path of ['node_modules/m', 'packages/a/node_modules/m', 'dist/x', 'left/over', 'nested/x'])
    inside(path, '1')
  place.git(['init', '--quiet'], join(pathOf(place), 'nested'))
  inside('a.txt', 'spoilt by a test')
  place.git(['checkout', '-qb', 'made-by-a-test'], pathOf(place))
  place.write(`.git/worktrees/${ownName(place)}/index.lock`, '')

  place.write('b.txt', '2')
  const second = await take(place, 2)
  expect(await clean(place, second, ['node_modules'])).toMatchObject({ reused: true })
  expect(place.git(['rev-parse', 'HEAD'], pathOf(place)).trim()).toBe(second)
  expect(place.git(['rev-parse', 'made-by-a-test']).trim()).not.toBe(second)
  expect(statusOf(place).trim().split('\n')).toEqual(['!! node_modules/', '!! packages/'])
  expect(readFileSync(join(pathOf(place), 'a.txt'), 'utf8')).toBe('1')
  expect(existsSync(join(pathOf(place), 'packages/a/node_modules/m'))).toBe(true)

  await clean(place, second)
  expect(statusOf(place)).toBe('')
})

test('files that something in there told git to overlook do not survive [git-worktree]', async () => {
  using place = scratch()
  place.commit({ 'a.txt': '1', 'b.txt': '1' })
  const commit = await take(place)
  await clean(place, commit)
  place.git(['update-index', '--skip-worktree', 'a.txt'], pathOf(place))
  place.git(['update-index', '--assume-unchanged', 'b.txt'], pathOf(place))
  for (const name of ['a.txt', 'b.txt']) place.write(name, 'always green', pathOf(place))
  await clean(place, commit)
  for (const name of ['a.txt', 'b.txt']) expect(readFileSync(join(pathOf(place), name), 'utf8')).toBe('1')
})

const damages: { what: string; damage: (path: string, place: Place) => void }[] = [
  { what: 'its directory is gone', damage: path => rmSync(path, { recursive: true }) },
  { what: 'its .git is gone', damage: path => rmSync(join(path, '.git')) },
  { what: 'its .git points nowhere', damage: path => writeFileSync(join(path, '.git'), 'gitdir: /nowhere\n') },
  {
    what: 'its index is rubbish',
    damage: (_, place) => place.write(`.git/worktrees/${ownName(place)}/index`, 'rubbish'),
  },
  { what: 'its HEAD is rubbish', damage: (_, place) => place.write(`.git/worktrees/${ownName(place)}/HEAD`, '') },
  {
    what: 'it was cut off before git knew what to check out',
    damage: (path, place) => {
      const own = `.git/worktrees/${ownName(place)}`
      for (const name of readdirSync(path)) if (name !== '.git') rmSync(join(path, name), { recursive: true })
      rmSync(join(place.project, own, 'index'))
      place.write(`${own}/HEAD`, `${'0'.repeat(40)}\n`)
    },
  },
  {
    what: 'somebody began a merge in it',
    damage: (_, place) => place.write(`.git/worktrees/${ownName(place)}/MERGE_HEAD`, place.git(['rev-parse', 'HEAD'])),
  },
]
const ownName = (place: Place) => place.git(['rev-parse', '--git-dir'], pathOf(place)).trim().split('/').at(-1)

test.each(damages)('it is made anew when $what [git-worktree]', async ({ damage }) => {
  using place = scratch()
  place.commit()
  const commit = await take(place)
  await clean(place, commit)
  damage(pathOf(place), place)
  place.write('b.txt', '2')
  await clean(place, await take(place, 2))
  expect(statusOf(place)).toBe('')
  expect(readFileSync(join(pathOf(place), 'b.txt'), 'utf8')).toBe('2')
  expect(place.git(['worktree', 'list', '--porcelain']).match(/^worktree /gm)).toHaveLength(2)
})

test('what is not ours at that path is neither reset nor removed [git-worktree]', async () => {
  using place = scratch()
  place.commit()
  const commit = await take(place)
  const request = { repository: place.project, path: pathOf(place) }

  place.write('precious', 'x', pathOf(place))
  await expect(clean(place, commit)).rejects.toMatchObject({ code: 'worktree-taken' })
  expect(await place.repository.removeWorktree(request)).toBe(false)
  rmSync(pathOf(place), { recursive: true })

  place.git(['worktree', 'add', '--quiet', '--detach', pathOf(place)])
  place.write('precious', 'x', pathOf(place))
  await expect(clean(place, commit)).rejects.toMatchObject({ code: 'worktree-not-ours' })
  await expect(place.repository.removeWorktree(request)).rejects.toMatchObject({ code: 'worktree-not-ours' })
  place.git(['worktree', 'lock', '--reason', 'on a stick', pathOf(place)])
  await expect(place.repository.removeWorktree(request)).rejects.toMatchObject({ code: 'worktree-not-ours' })
  expect(existsSync(join(pathOf(place), 'precious'))).toBe(true)
})

test('ours with any beginning of its .git, as a power cut leaves it, is made anew [git-worktree]', async () => {
  using place = scratch()
  place.commit()
  const commit = await take(place)
  await clean(place, commit)
  const pointer = join(pathOf(place), '.git')
  const whole = readFileSync(pointer, 'utf8')
  const repository = whole.indexOf('/.git/') + '/.git'.length
  for (const length of [0, 'gitdir: '.length, 'gitdir: /'.length, repository, whole.length - 2]) {
    writeFileSync(pointer, whole.slice(0, length))
    expect(await clean(place, commit)).toEqual({ path: pathOf(place), reused: false })
    expect(statusOf(place)).toBe('')
  }
})

test('another repository that somebody put in the place of ours stays [git-worktree]', async () => {
  using place = scratch()
  place.commit()
  const commit = await take(place)
  await clean(place, commit)
  rmSync(pathOf(place), { recursive: true })
  place.commit({ precious: 'x' }, pathOf(place))
  await expect(clean(place, commit)).rejects.toMatchObject({ code: 'worktree-not-ours' })
  expect(existsSync(join(pathOf(place), 'precious'))).toBe(true)
})

test('removing ours leaves worktrees of the user that are not mounted at the moment [git-worktree]', async () => {
  using place = scratch()
  place.commit()
  const theirs = join(place.root, 'stick/theirs')
  mkdirSync(join(place.root, 'stick'))
  place.git(['worktree', 'add', '--quiet', '--detach', theirs])
  renameSync(join(place.root, 'stick'), join(place.root, 'unplugged'))
  await clean(place, await take(place))
  await place.repository.removeWorktree({ repository: place.project, path: pathOf(place) })
  renameSync(join(place.root, 'unplugged'), join(place.root, 'stick'))
  expect(place.git(['status', '--porcelain'], theirs)).toBe('')
})

test('submodules are neither fetched nor looked into [git-worktree] [git-submodule]', async () => {
  using place = scratch()
  place.commit({ 'lib.txt': '1' }, join(place.root, 'library'))
  place.commit()
  place.git(['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', join(place.root, 'library'), 'lib'])
  place.git(['commit', '-qm', 'with a submodule'])
  place.git(['config', 'submodule.recurse', 'true'])
  rmSync(join(place.root, 'library'), { recursive: true })
  const commit = await take(place)
  await clean(place, commit)
  expect(await clean(place, commit)).toMatchObject({ reused: true })
  expect(existsSync(join(pathOf(place), 'lib/lib.txt'))).toBe(false)
  await place.repository.removeWorktree({ repository: place.project, path: pathOf(place) })
  expect(existsSync(join(place.project, 'lib/lib.txt'))).toBe(true)
})

test('what a daemon left that was killed while it made a worktree or a checkpoint is gone; everything else stays [git-leftovers]', async () => {
  using place = scratch()
  place.commit()
  await clean(place, await take(place))
  place.git(['worktree', 'add', '--quiet', '--detach', '../theirs'])
  const zeros = (name: string, lock: string | null) => {
    place.git(['worktree', 'add', '--quiet', '--detach', '--no-checkout', `../${name}`])
    place.write(`.git/worktrees/${name}/HEAD`, `${'0'.repeat(40)}\n`)
    if (lock) place.write(`.git/worktrees/${name}/locked`, lock)
  }
  zeros('half', OUR_LOCK)
  zeros('foreign', null)
  const dead = spawnSync('true').pid
  const copies = [dead, process.pid].map(pid => mkdtempSync(join(tmpdir(), `rehoboam-index-${pid}-`)))
  await place.repository.dropLeftovers([
    { run: RUN, directory: join(place.project, 'not', 'there') },
    { run: RUN, directory: place.project },
  ])
  expect(readdirSync(join(place.project, '.git/worktrees')).sort()).toEqual(
    ['foreign', ownName(place), 'theirs'].sort(),
  )
  expect([existsSync(join(place.root, 'half')), copies.map(existsSync)]).toEqual([false, [false, true]])
  rmSync(copies[1]!, { recursive: true })
  place.git(['worktree', 'remove', '--force', '../foreign'])
  expect(place.git(['log', '--all', '--format=%s'])).toContain('first')
})

test('the git of a killed daemon is waited for before what it left is removed [git-leftovers]', async () => {
  using place = scratch()
  place.commit({ 'a.txt': 'one\n', '.gitattributes': 'a.txt filter=slow\n' })
  // Ends also when the test fails and its home is removed.
  const waits = `while [ -e '${place.home}' ] && ! [ -e '${place.home}/gate' ]; do sleep 0.05; done`
  place.git(['config', 'filter.slow.smudge', `echo > '${place.home}/at-work'; ${waits}; cat`])
  const commit = await take(place)
  const killed = spawn(process.execPath, [join(import.meta.dirname, 'makes-worktree.ts'), commit, pathOf(place)], {
    cwd: place.project,
    env: place.environment,
    stdio: 'ignore',
  })
  const isAtWork = () => existsSync(join(place.home, 'at-work'))
  await until(isAtWork, 'git to check out')
  killed.kill('SIGKILL')
  let isDropped = false
  const dropped = place.repository.dropLeftovers([{ run: RUN, directory: place.project }]).then(() => {
    isDropped = true
  })
  // A whole checkpoint takes far longer than looking at what was left.
  await take(place, 2)
  expect(isDropped).toBe(false)
  writeFileSync(join(place.home, 'gate'), '')
  await dropped
  expect(existsSync(join(pathOf(place), 'a.txt'))).toBe(true)
})

test('the lock that a killed git left on a ref of a run is removed, and every other lock stays [git-leftovers]', async () => {
  using place = scratch()
  place.commit()
  await take(place)
  const locked = (ref: string) => {
    const lock = join(place.project, '.git', `${ref}.lock`)
    mkdirSync(dirname(lock), { recursive: true })
    writeFileSync(lock, '')
    return lock
  }
  const stale = [`refs/rehoboam/${RUN}/2`, `refs/heads/rehoboam-work/${RUN}/A`].map(locked)
  const others = ['refs/rehoboam/other001/1', 'refs/heads/rehoboam/x', `refs/heads/${RUN}`].map(locked)
  for (const lock of [...stale, ...others]) utimesSync(lock, 0, 0)
  const young = locked(`refs/rehoboam/${RUN}/3`)
  await expect(take(place, 2)).rejects.toMatchObject({ code: 'git-locked' })
  await place.repository.dropLeftovers([{ run: RUN, directory: place.project }])
  const isThere = (lock: string) => existsSync(lock)
  expect([stale.filter(isThere), [...others, young].every(isThere)]).toEqual([[], true])
  await take(place, 2)
})
