import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { theirs } from '../worktrees/theirs.ts'
import { RUN, scratch } from './scratch.ts'
import { begun, inside, left, type Place, pathOf, RESULT, requestOf, work } from './work-in-worktree.ts'

test('work in a worktree ends on its own branch; of the user’s nothing changes, to the byte [git-work-branch] [worktree-untouched]', async () => {
  using place = scratch()
  place.commit({ 'a.txt': '1\n', 'b.txt': '1\n', '.gitignore': 'dist\n' })
  place.write('.git/hooks/post-checkout', '#!/bin/sh\nexit 1\n')
  place.write('b.txt', 'stashed\n')
  place.git(['stash', '--quiet'])
  place.write('b.txt', 'dirty\n')
  place.write('staged.txt', 'x\n')
  place.git(['add', 'staged.txt'])
  place.git(['status'])
  const before = theirs(place.project)
  const base = await begun(place)
  const write = inside(place)
  for (const path of ['new/file.txt', 'dist/ignored', '.rehoboam/progress.md', '.rehoboam-worker-T1/state.json'])
    write(path, 'x')
  write('a.txt', '2\n')
  const first = await left(place, 1)
  expect(place.filesOf(first.commit)).toEqual({
    'a.txt': '2\n',
    'b.txt': '1\n',
    '.gitignore': 'dist\n',
    'new/file.txt': 'x',
  })
  expect(place.git(['rev-parse', `rehoboam-work/${RUN}/T1`]).trim()).toBe(first.commit)
  expect(place.git(['rev-parse', `refs/rehoboam/${RUN}.T1/1`]).trim()).toBe(first.commit)
  expect(place.git(['log', '-1', '--format=%an %(trailers:key=Rehoboam-Task,valueonly)', first.commit]).trim()).toBe(
    'Ada Lovelace T1',
  )
  expect(place.git(['status', '--porcelain', '--', ':!.rehoboam*'], pathOf(place, 'T1'))).toBe('')
  expect(await left(place, 2)).toMatchObject({ commit: first.commit })
  expect(place.git(['rev-list', '--count', `${base}..${first.commit}`]).trim()).toBe('1')
  expect(theirs(place.project)).toEqual(before)
})

test('wherever an agent goes with its HEAD, what it committed stays in the history of its branch [git-work-branch]', async () => {
  using place = scratch()
  place.commit()
  await begun(place)
  const [at, write] = [pathOf(place, 'T1'), inside(place)]
  write('own.txt', '1')
  place.git(['add', '--all'], at)
  place.git(['commit', '-qm', 'its own'], at)
  const own = place.git(['rev-parse', 'HEAD'], at).trim()
  place.git(['checkout', '-q', '-b', 'elsewhere', 'HEAD~1'], at)
  write('other.txt', '1')
  place.git(['add', '--all'], at)
  place.git(['commit', '-qm', 'elsewhere'], at)
  const other = place.git(['rev-parse', 'HEAD'], at).trim()
  write('left.txt', '1')
  const { commit } = await left(place, 1)
  const history = place.git(['rev-list', commit]).split('\n')
  expect(history).toEqual(expect.arrayContaining([own, other]))
  expect(place.pathsOf(commit)).toEqual(['a.txt', 'left.txt', 'other.txt'])
  expect(place.git(['symbolic-ref', 'HEAD'], at).trim()).toBe(`refs/heads/rehoboam-work/${RUN}/T1`)

  place.git(['checkout', '-q', '--detach'], at)
  place.git(['branch', '-D', `rehoboam-work/${RUN}/T1`], at)
  write('later.txt', '1')
  const later = await left(place, 2)
  expect(place.git(['rev-list', later.commit]).split('\n')).toContain(commit)
})

const broken: { what: string; damage: (at: string, place: Place) => void }[] = [
  { what: 'its .git is gone', damage: at => rmSync(join(at, '.git')) },
  {
    what: 'another repository was made in it',
    damage: (at, place) => {
      rmSync(join(at, '.git'))
      place.git(['init', '--quiet'], at)
    },
  },
  {
    what: 'it is in the middle of a rebase',
    damage: (at, place) => {
      place.git(['commit', '-qam', 'mine'], at)
      place.git(['-c', 'sequence.editor=sed -i 1ibreak', 'rebase', '-q', '-i', 'HEAD~1'], at)
      place.write('a.txt', 'the work\n', at)
    },
  },
  {
    what: 'its index is gone',
    damage: (at, place) => rmSync(place.git(['rev-parse', '--git-path', 'index'], at).trim()),
  },
  {
    what: 'a git in it was killed',
    damage: (at, place) => writeFileSync(place.git(['rev-parse', '--git-path', 'index.lock'], at).trim(), ''),
  },
]

test.each(broken)('what is in a worktree is committed also when $what [git-work-mended]', async ({ damage }) => {
  using place = scratch()
  place.commit()
  await begun(place)
  inside(place)('a.txt', 'the work\n')
  damage(pathOf(place, 'T1'), place)
  await place.repository.workWorktree(requestOf(place, 'T1'))
  const { commit } = await left(place, 1)
  expect(place.filesOf(commit)).toEqual({ 'a.txt': 'the work\n' })
  expect(place.git(['rev-parse', `rehoboam-work/${RUN}/T1`]).trim()).toBe(commit)
  expect(place.git(['status', '--porcelain', '--', ':!.rehoboam*'], pathOf(place, 'T1'))).toBe('')
})

test('a worktree that is gone is made again from its branch; what stands there instead is moved aside [git-work-mended]', async () => {
  using place = scratch()
  place.commit()
  await begun(place)
  inside(place)('a.txt', '2\n')
  await left(place, 1)
  rmSync(pathOf(place, 'T1'), { recursive: true })
  await place.repository.workWorktree(requestOf(place, 'T1'))
  expect(readFileSync(join(pathOf(place, 'T1'), 'a.txt'), 'utf8')).toBe('2\n')
  place.git(['worktree', 'remove', '--force', '--force', pathOf(place, 'T1')])
  inside(place)('precious', 'x')
  await place.repository.workWorktree(requestOf(place, 'T1'))
  expect(existsSync(join(`${pathOf(place, 'T1')}-aside`, 'precious'))).toBe(true)
})

test('a worktree that nobody has worked in is brought to where its branch begins now; one that holds work stays as it is [git-work-ahead]', async () => {
  using place = scratch()
  place.commit({ 'a.txt': '1\n' })
  const base = await begun(place, 'T1')
  const request = { ...requestOf(place, 'T2'), isUntouched: true }
  await place.repository.workWorktree({ ...request, base })
  inside(place, 'T1')('b.txt', 'new\n')
  const { commit, tree } = await left(place, 1, 'T1')
  expect(await place.repository.workWorktree({ ...request, base: commit })).toMatchObject({ tip: commit, tree })
  expect(readFileSync(join(pathOf(place, 'T2'), 'b.txt'), 'utf8')).toBe('new\n')
  expect(place.git(['rev-parse', `rehoboam-work/${RUN}/T2`, `refs/rehoboam/${RUN}.T2/0`])).toBe(
    `${commit}\n${commit}\n`,
  )
  expect(place.git(['status', '--porcelain'], pathOf(place, 'T2'))).toBe('')
  // Its setup has written into a file that is under version control; a ref keeps what that was.
  inside(place, 'T2')('a.txt', 'set up\n')
  inside(place, 'T1')('b.txt', 'newer\n')
  const newer = (await left(place, 2, 'T1')).commit
  expect(await place.repository.workWorktree({ ...request, base: newer })).toMatchObject({ tip: newer })
  expect(place.git(['status', '--porcelain'], pathOf(place, 'T2'))).toBe('')
  expect(place.git(['show', `refs/rehoboam/${RUN}.T2/moved:a.txt`])).toBe('set up\n')
  inside(place, 'T2')('a.txt', 'set up\n')
  expect(await place.repository.workWorktree({ ...request, base: newer })).toMatchObject({ tip: newer, tree: null })
  expect(readFileSync(join(pathOf(place, 'T2'), 'a.txt'), 'utf8')).toBe('set up\n')
  // Somebody was there after all.
  inside(place, 'T2')('a.txt', 'work\n')
  expect(await place.repository.workWorktree({ ...request, base })).toMatchObject({ tip: newer, tree: null })
  const kept = await left(place, 1, 'T2')
  expect(await place.repository.workWorktree({ ...request, base: commit })).toMatchObject({
    tip: kept.commit,
    tree: null,
  })
  expect(readFileSync(join(pathOf(place, 'T2'), 'a.txt'), 'utf8')).toBe('work\n')
})

test('a place that was given back before anybody came is made again, where its branch begins now [git-work-ahead]', async () => {
  using place = scratch()
  const base = place.commit()
  const ahead = requestOf(place, 'T1')
  await place.repository.openBranch({ directory: place.project, branch: RESULT, base })
  await place.repository.workWorktree({ ...ahead, base })
  expect(await place.repository.release(ahead)).toEqual({ removed: true })
  place.write('a.txt', '2\n')
  place.git(['commit', '-qam', 'moved on'])
  const [next = '', tree] = place.git(['log', '-1', '--format=%H %T']).trim().split(' ')
  expect(await place.repository.workWorktree({ ...ahead, base: next })).toMatchObject({ tip: next, tree })
  expect(place.git(['rev-parse', `refs/rehoboam/${RUN}.T1/0`]).trim()).toBe(next)
  expect(await place.repository.release(ahead)).toEqual({ removed: true })
  // From somewhere else: what the older checkpoint holds is in no history of the new branch, so it stays.
  place.git(['checkout', '--quiet', '--orphan', 'other'])
  place.git(['commit', '-qam', 'other'])
  const other = place.git(['rev-parse', 'HEAD']).trim()
  expect(await place.repository.workWorktree({ ...ahead, base: other })).toMatchObject({ tip: other, tree: null })
  expect(place.git(['rev-parse', `refs/rehoboam/${RUN}.T1/0`]).trim()).toBe(next)
})

test('before the first commit our branch begins with the files, and the user’s HEAD stays unborn [git-work-branch]', async () => {
  using place = scratch()
  place.git(['init', '--quiet'])
  place.write('a.txt', '1\n')
  const base = await begun(place)
  expect(place.filesOf(base)).toEqual({ 'a.txt': '1\n' })
  expect(() => place.git(['rev-parse', '--verify', 'HEAD'])).toThrow()
  expect(place.git(['status', '--porcelain']).trim()).toBe('?? a.txt')
  // Their own first commit has another root: the forecast takes ours for it.
  place.git(['add', '--all'])
  place.git(['commit', '-qm', 'their first'])
  inside(place)('a.txt', '2\n')
  const { commit } = await left(place, 1)
  const onto = place.git(['rev-parse', 'HEAD']).trim()
  const request = { directory: place.project, onto, from: commit }
  expect(await place.repository.forecast(request)).toMatchObject({ clean: false, files: ['a.txt'] })
  expect(await place.repository.forecast({ ...request, base })).toMatchObject({ clean: true })
})

test('a branch of the user that stands in the way is named [git-work-branch]', async () => {
  using place = scratch()
  place.commit()
  place.git(['branch', 'rehoboam'])
  await expect(begun(place)).rejects.toMatchObject({
    code: 'branch-taken',
    message: expect.stringContaining('git branch -m rehoboam'),
  })
})

test('a forecast says what a merge would give, and a merge moves the branch only from there [git-merge]', async () => {
  using place = scratch()
  place.commit({ 'a.txt': '1\n', 'b.txt': '1\n' })
  const base = await begun(place, 'T1')
  await place.repository.openBranch({ directory: place.project, branch: work('T2'), base })
  await place.repository.workWorktree(requestOf(place, 'T2'))
  inside(place, 'T1')('a.txt', 'one\n')
  inside(place, 'T2')('a.txt', 'two\n')
  inside(place, 'T2')('b.txt', 'two\n')
  const [one, two] = [await left(place, 1, 'T1'), await left(place, 1, 'T2')]
  const directory = place.project
  const clean = await place.repository.forecast({ directory, onto: base, from: one.commit })
  expect(clean).toMatchObject({ clean: true, tree: one.tree, files: [] })
  const subject = 'task T1: "quoted" & more'
  const merge = { directory, branch: work('T1'), base, from: one.commit, subject }
  const made = await place.repository.mergeIntoResult(merge)
  expect(made).toMatchObject({ is: 'made', onto: base, tree: clean.tree, isSuspicious: false })
  expect(await place.repository.mergeIntoResult(merge)).toEqual(made)
  const merged = made.is === 'made' ? made.commit : ''
  const move = { directory, branch: RESULT, from: base, to: merged }
  expect(await place.repository.advance(move)).toEqual({ moved: true })
  expect(await place.repository.advance(move)).toEqual({ moved: true })
  expect(await place.repository.advance({ ...move, to: two.commit })).toEqual({ moved: false, why: 'elsewhere' })
  expect(await place.repository.mergeIntoResult(merge)).toEqual({ is: 'merged', onto: merged, tree: clean.tree })
  const asAnother = { ...merge, branch: work('T2') }
  expect(await place.repository.mergeIntoResult(asAnother)).toMatchObject({ is: 'nothing', onto: merged })
  expect(await place.repository.mergeIntoResult({ ...asAnother, from: two.commit })).toMatchObject({
    is: 'conflict',
    onto: merged,
    files: ['a.txt'],
  })

  const conflict = await place.repository.forecast({ directory, onto: merged, from: two.commit })
  expect(conflict).toMatchObject({
    clean: false,
    files: ['a.txt'],
    said: expect.stringContaining('CONFLICT (content)'),
  })
  place.git(['worktree', 'add', '--quiet', join(place.root, 'look'), `rehoboam/${RUN}`])
  expect(await place.repository.advance({ ...move, from: merged, to: two.commit })).toEqual({
    moved: false,
    why: 'in-use',
    at: join(place.root, 'look'),
  })
})

test('a git that is too old to merge so is named [git-merge]', async () => {
  using place = scratch()
  place.commit()
  const base = await begun(place)
  inside(place)('a.txt', '2\n')
  const { commit: from } = await left(place, 1)
  const repository = place.repositoryThrough(
    real => `
for word; do [ "$word" != merge-tree ] || { echo "usage: git merge-tree <base-tree>" >&2; exit 129; }; done
exec ${real} "$@"`,
  )
  const merge = { directory: place.project, branch: work('T1'), base, from, subject: 'task T1' }
  await expect(repository.mergeIntoResult(merge)).rejects.toMatchObject({ code: 'git-too-old' })
  expect((await place.repository.mergeIntoResult(merge)).is).toBe('made')
})

test('a conflict is brought to its worker as marks in the files; marks that stay are found [git-merge]', async () => {
  using place = scratch()
  place.commit({ 'a.txt': '1\n', 'b.txt': '1\n' })
  const base = await begun(place, 'T1')
  place.write('a.txt', 'theirs\n')
  place.git(['commit', '-qam', 'moved on'])
  const from = place.git(['rev-parse', 'HEAD']).trim()
  inside(place)('a.txt', 'mine\n')
  await left(place, 1)
  const request = { ...requestOf(place, 'T1'), from, subject: 'the result so far' }
  const brought = await place.repository.bringIn(request)
  expect(brought).toMatchObject({ clean: false, files: ['a.txt'] })
  expect(readFileSync(join(pathOf(place, 'T1'), 'a.txt'), 'utf8')).toMatch(
    /^<<<<<<< (?:.|\n)*mine\n=======\ntheirs\n>>>>>>> /,
  )
  expect((await place.repository.bringIn(request)).commit).toBe(brought.commit)
  const { repository, project: directory } = place
  const unsolved = await left(place, 2)
  expect(await repository.markedFiles({ directory, commit: unsolved.commit, files: ['a.txt'] })).toEqual(['a.txt'])
  inside(place)('a.txt', 'both\n')
  const { commit } = await left(place, 3)
  expect(await repository.markedFiles({ directory, commit, files: ['a.txt'] })).toEqual([])
  expect(await repository.forecast({ directory, onto: from, from: commit })).toMatchObject({ clean: true })
  expect(await repository.isAncestor({ directory, commit: base, of: commit })).toBe(true)
})

test('merges and marks are found whatever the user has git show beside its answers [git-merge]', async () => {
  using place = scratch()
  place.commit()
  const signature = '-----BEGIN SSH SIGNATURE-----\n AAAA\n -----END SSH SIGNATURE-----'
  const unsigned = place.git(['cat-file', 'commit', 'HEAD'])
  place.write('../signed', unsigned.replace('\n\n', `\ngpgsig ${signature}\n\n`))
  const signed = place.git(['hash-object', '-t', 'commit', '-w', join(place.root, 'signed')]).trim()
  place.git(['reset', '--quiet', '--hard', signed])
  place.git(['config', 'log.showSignature', 'true'])
  place.git(['config', 'color.ui', 'always'])
  const base = await begun(place)
  inside(place)('b.txt', '<<<<<<< mine\n')
  const { commit: from } = await left(place, 1)
  const { repository, project: directory } = place
  const merge = { directory, branch: work('T1'), base, from, subject: 'task T1' }
  expect(await repository.mergeIntoResult(merge)).toMatchObject({ is: 'made', onto: base, isSuspicious: true })
  expect(await repository.markedFiles({ directory, commit: from, files: ['b.txt'] })).toEqual(['b.txt'])
})
