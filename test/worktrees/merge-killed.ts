import { expect } from 'vitest'
import { RUN, scratch } from '../git/scratch.ts'
import { theirs } from './theirs.ts'
import { MortalGit, type Place, world } from './world.ts'

export const files = { 'a.txt': '1\n', 'b.txt': '1\n' }
export const merges = (place: Place) =>
  place
    .git([
      'log',
      '--first-parent',
      '--format=%(trailers:key=Rehoboam-Merged,valueonly,separator=%x2C)',
      `rehoboam/${RUN}`,
    ])
    .split('\n')
    .filter(Boolean)

/** Kills a merge after so many git steps and does it again. Returns whether it was killed before its end. */
export async function playMergeKilled(lifetime: number): Promise<boolean> {
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
  return died
}

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
