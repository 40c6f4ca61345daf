import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { RUN, scratch } from '../git/scratch.ts'
import { theirs } from './theirs.ts'
import { MortalGit, type Place, world } from './world.ts'

const files = { 'a.txt': '1\n', 'b.txt': '1\n' }
const tipOf = (place: Place) => place.git(['rev-parse', `rehoboam/${RUN}`]).trim()
const merges = (place: Place) =>
  place
    .git([
      'log',
      '--first-parent',
      '--format=%(trailers:key=Rehoboam-Merged,valueonly,separator=%x2C)',
      `rehoboam/${RUN}`,
    ])
    .split('\n')
    .filter(Boolean)

test('work that merges and is green comes into the result; red and conflict go back with what was found, and the result stays [merge-queue] [worktree-untouched]', async () => {
  using place = scratch()
  place.commit(files)
  const before = theirs(place.project)
  const {
    open,
    left,
    merge,
    run: runOf,
    texts,
    workplaces,
    repository,
  } = await world(place, { ward: ['test ! -e bad.txt || { echo "bad.txt is there"; false; }'] })
  const base = (await repository.openBranch({ directory: place.project, branch: { run: RUN, task: null }, base: null }))
    .commit
  const run = runOf(base)
  const task = async (id: string, text: Record<string, string>) => {
    const { directory } = await open(id, base)
    for (const [path, content] of Object.entries(text)) place.write(path, content, directory)
    return (await left(id)).commit
  }
  const one = await merge(run, 'T1', await task('T1', { 'a.txt': 'one\n' }), base)
  expect(one).toMatchObject({ result: 'merged', tip: tipOf(place), ward: { result: 'green' } })
  expect(merges(place)).toEqual(['T1'])
  expect(existsSync(workplaces.pathOf({ run: RUN, task: 'T1' }))).toBe(false)
  expect(place.git(['branch', '--list', 'rehoboam-work/*'])).toBe('')

  const red = await merge(run, 'T2', await task('T2', { 'bad.txt': 'x\n' }), base)
  expect(red).toMatchObject({ result: 'red', tip: one.tip })
  expect(await texts.get(red.report!)).toContain('bad.txt is there')
  const conflict = await merge(run, 'T3', await task('T3', { 'a.txt': 'three\n' }), base)
  expect(conflict).toMatchObject({ result: 'conflict', tip: one.tip, ward: null })
  expect(await texts.get(conflict.report!)).toContain('- a.txt')
  expect(tipOf(place)).toBe(one.tip)

  // The worker gets the result with marks; one that leaves them is not believed, one that resolves them is.
  const branch = { run: RUN, task: 'T3' }
  const path = workplaces.pathOf(branch)
  await repository.bringIn({ repository: place.project, path, branch, from: one.tip, subject: 'the result so far' })
  const marked = await merge(run, 'T3', (await left('T3', 2)).commit, base)
  expect([marked.result, await texts.get(marked.report!)]).toEqual([
    'conflict',
    expect.stringContaining('still in these files'),
  ])
  place.write('a.txt', 'one and three\n', path)
  expect(await merge(run, 'T3', (await left('T3', 3)).commit, base)).toMatchObject({ result: 'merged' })
  expect(place.git(['show', `rehoboam/${RUN}:a.txt`])).toBe('one and three\n')
  expect(merges(place)).toEqual(['T3', 'T1'])

  // Red before it began is no reason to refuse; nothing done is nothing to merge.
  expect(await merge(run, 'T2', (await left('T2')).commit, base, red.ward!.failing)).toMatchObject({ result: 'merged' })
  expect(await merge(run, 'T4', await task('T4', {}), base)).toMatchObject({ result: 'nothing' })
  expect(place.git(['worktree', 'list', '--porcelain']).match(/^worktree /gm)).toHaveLength(2)
  expect(theirs(place.project)).toEqual(before)
}, 400_000)

test('a result branch that somebody has checked out is not moved under them, and files of ours in commits are sent back [merge-queue]', async () => {
  using place = scratch()
  place.commit(files)
  const { open, left, merge, run: runOf, texts, repository } = await world(place)
  const base = (await repository.openBranch({ directory: place.project, branch: { run: RUN, task: null }, base: null }))
    .commit
  const { root } = await open('T1', base)
  place.write('a.txt', 'one\n', root)
  place.git(['worktree', 'add', '--quiet', join(place.root, 'look'), `rehoboam/${RUN}`])
  const { commit } = await left('T1')
  const refused = await merge(runOf(base), 'T1', commit, base)
  expect([refused.result, await texts.get(refused.report!)]).toEqual([
    'could-not-run',
    expect.stringContaining(join(place.root, 'look')),
  ])
  place.git(['switch', '--quiet', '--detach'], join(place.root, 'look'))
  place.write('.rehoboam/tasks.md', 'all done', root)
  place.git(['add', '--force', '.rehoboam'], root)
  place.git(['commit', '-qm', 'what I did'], root)
  const ours = await merge(runOf(base), 'T1', (await left('T1', 2)).commit, base)
  expect([ours.result, await texts.get(ours.report!)]).toEqual(['red', expect.stringContaining('.rehoboam/tasks.md')])
  place.git(['rm', '--quiet', '--cached', '-r', '.rehoboam'], root)
  place.git(['commit', '-qm', 'taken out'], root)
  expect(await merge(runOf(base), 'T1', (await left('T1', 3)).commit, base)).toMatchObject({
    result: 'merged',
    ward: null,
  })
  expect(place.pathsOf(`rehoboam/${RUN}`)).toEqual(['a.txt', 'b.txt'])
})

/** From the worktree to the merge, as a pool asks for it: each part again when it was cut off. */
async function story(place: Place, base: string, git: MortalGit): Promise<void> {
  const { open, left, merge, run, workplaces } = await world(place, { git })
  const isMerged = place.git(['log', '--format=%B', `rehoboam/${RUN}`]).includes('Rehoboam-Merged: T1')
  const kept = place.git(['for-each-ref', '--format=%(objectname)', `refs/rehoboam/${RUN}.T1/1`]).trim()
  // The journal knows what was done: a worker that has ended is not started again.
  if (!isMerged && !kept) {
    const { root } = await open('T1', base)
    place.write('a.txt', 'one\n', root)
    place.write('new.txt', 'one\n', root)
    await left('T1')
  }
  const commit = place.git(['for-each-ref', '--format=%(objectname)', `refs/rehoboam/${RUN}.T1/1`]).trim()
  expect(await merge(run(base), 'T1', commit, base)).toMatchObject({ result: 'merged' })
  expect(await workplaces.release({ run: RUN, task: 'T1' }, place.project)).toEqual({ removed: true })
}

test('killed between any two git steps and done again, it is merged once and nothing is lost or left behind [merge-once]', async () => {
  const steps: number[] = []
  // Every third: all of them take a minute, and neighbours mostly differ by a step that only looks.
  for (let lifetime = 1; steps.length === 0; lifetime += 3) {
    using place = scratch()
    place.commit(files)
    const before = theirs(place.project)
    place.git(['branch', `rehoboam/${RUN}`])
    const base = place.git(['rev-parse', 'HEAD']).trim()
    const git = new MortalGit(place.environment, lifetime)
    const died = await story(place, base, git).then(
      () => false,
      error => /killed/.test(String(error)),
    )
    await story(place, base, new MortalGit(place.environment))
    expect(merges(place)).toEqual(['T1'])
    expect(place.filesOf(`rehoboam/${RUN}`)).toEqual({ 'a.txt': 'one\n', 'b.txt': '1\n', 'new.txt': 'one\n' })
    expect(place.git(['worktree', 'list', '--porcelain']).match(/^worktree /gm)).toHaveLength(1)
    const refs = place.git(['for-each-ref', '--format=%(refname)']).trim().split('\n')
    // The one that it began with is there from its worktree on.
    expect(refs.filter(ref => ref !== `refs/rehoboam/${RUN}.T1/0`)).toEqual([
      'refs/heads/main',
      `refs/heads/rehoboam/${RUN}`,
      `refs/rehoboam/${RUN}.T1/1`,
    ])
    expect(theirs(place.project)).toEqual(before)
    // A script that outlives its daemon ends what it began.
    if (!git.diedInside)
      expect(place.git(['fsck', '--unreachable', '--no-reflogs']).match(/unreachable commit/g)).toBeNull()
    if (!died) steps.push(lifetime)
  }
  expect(steps[0]).toBeGreaterThan(15)
}, 400_000)
