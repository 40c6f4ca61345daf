import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { RUN, scratch } from '../git/scratch.ts'
import { files, merges, playMergeKilled } from './merge-killed.ts'
import { theirs } from './theirs.ts'
import { type Place, world } from './world.ts'

const tipOf = (place: Place) => place.git(['rev-parse', `rehoboam/${RUN}`]).trim()

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

test.each([4, 19])(
  'a merge that is killed after %i git steps and done again is merged once, and nothing is lost or left behind [merge-once]',
  async lifetime => expect(await playMergeKilled(lifetime)).toBe(true),
)
