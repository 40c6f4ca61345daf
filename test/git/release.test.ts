import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { RUN, scratch } from './scratch.ts'
import { begun, inside, left, type Place, pathOf, refs, requestOf } from './work-in-worktree.ts'

test('a worktree and its branch go only when all its commits are kept elsewhere [git-release]', async () => {
  using place = scratch()
  place.commit()
  await begun(place)
  const [request, at] = [requestOf(place, 'T1'), pathOf(place, 'T1')]
  inside(place)('a.txt', '2\n')
  expect(await place.repository.release(request)).toEqual({ removed: false, why: 'files in it are in no commit yet' })
  const { commit } = await left(place, 1)
  // What the agent does after that is on no checkpoint.
  place.git(['commit', '--allow-empty', '-qm', 'its own'], at)
  const own = place.git(['rev-parse', 'HEAD'], at).trim()
  expect(await place.repository.release(request)).toEqual({ removed: true })
  expect(existsSync(at)).toBe(false)
  expect(refs(place)).toEqual([
    'refs/heads/main',
    `refs/heads/rehoboam/${RUN}`,
    `refs/rehoboam/${RUN}.T1/0`,
    `refs/rehoboam/${RUN}.T1/1`,
    `refs/rehoboam/${RUN}.T1/tip`,
  ])
  expect(place.git(['rev-list', `refs/rehoboam/${RUN}.T1/tip`]).split('\n')).toEqual(
    expect.arrayContaining([own, commit]),
  )
  expect(place.git(['fsck', '--unreachable', '--no-reflogs']).match(/unreachable commit/g)).toBeNull()
  expect(await place.repository.release(request)).toEqual({ removed: true })
  // A pool's are dropped with its children's.
  expect(await place.repository.countRefs({ directory: place.project, run: RUN })).toBe(3)
  expect(await place.repository.dropRefs({ directory: place.project, run: RUN })).toBe(3)
  expect(refs(place)).toEqual(['refs/heads/main', `refs/heads/rehoboam/${RUN}`])
})

test('what no commit can hold keeps its worktree [git-release]', async () => {
  using place = scratch()
  place.commit()
  await begun(place)
  const nested = join(pathOf(place, 'T1'), 'nested')
  mkdirSync(nested)
  place.git(['init', '--quiet'], nested)
  place.write('x', '1', nested)
  await left(place, 1)
  expect(await place.repository.release(requestOf(place, 'T1'))).toMatchObject({
    removed: false,
    why: expect.stringContaining('nested'),
  })
  renameSync(nested, join(place.root, 'nested'))
  expect(await place.repository.release(requestOf(place, 'T1'))).toEqual({ removed: true })
})

test.each([
  {
    what: 'what git was told to overlook',
    hide: (place: Place, path: string) => {
      place.git(['update-index', '--assume-unchanged', 'a.txt'], path)
      place.write('a.txt', 'precious', path)
    },
    named: 'a.txt',
    show: (place: Place, path: string) => {
      place.git(['update-index', '--no-assume-unchanged', 'a.txt'], path)
      place.git(['checkout', '--', 'a.txt'], path)
    },
  },
  {
    what: 'what was done in a submodule',
    hide: (place: Place, path: string) => place.write('sub/a.txt', 'precious', path),
    named: 'sub',
    show: (place: Place, path: string) => place.git(['checkout', '--', 'a.txt'], join(path, 'sub')),
  },
])('$what keeps its worktree [git-release]', async ({ hide, named, show }) => {
  using place = scratch()
  place.commit({ 'a.txt': '1\n' }, join(place.root, 'other'))
  place.commit()
  const withFiles = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet']
  place.git([...withFiles, 'add', join(place.root, 'other'), 'sub'])
  place.git(['commit', '-qm', 'sub'])
  await begun(place)
  const path = pathOf(place, 'T1')
  place.git([...withFiles, 'update', '--init'], path)
  hide(place, path)
  await left(place, 1)
  const refused = { removed: false, why: expect.stringContaining(`"${named}"`) }
  expect(await place.repository.release(requestOf(place, 'T1'))).toEqual(refused)
  expect(readFileSync(join(path, named === 'sub' ? 'sub/a.txt' : named), 'utf8')).toBe('precious')
  show(place, path)
  expect(await place.repository.release(requestOf(place, 'T1'))).toEqual({ removed: true })
})
