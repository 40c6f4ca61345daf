import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mergeRun } from '../../src/daemon/merges/merge-run.ts'
import { everything, RUN, scratch } from '../git/scratch.ts'
import { type Place, world } from './world.ts'

/** A run that has changed a.txt and added new.txt on its branch, and ended. */
async function ended(place: Place, ward?: string[]) {
  const { open, outside, run: runOf, repository } = await world(place, ward ? { ward } : {})
  const { directory, tip: base } = await open(null, null)
  place.write('a.txt', '1\n2\n3\nresult\n', directory)
  place.write('new.txt', 'result\n', directory)
  const branch = { run: RUN, task: null }
  const path = outside.workplaces.pathOf(branch)
  await repository.commitLeft({ repository: place.project, path, branch, iteration: 1, subject: 'the work' })
  const run = runOf(base)
  const { signal } = new AbortController()
  const { state } = run.record as unknown as { state: Parameters<typeof mergeRun>[1]['state'] }
  return (options: { squash?: boolean; ward?: boolean } = {}) => {
    const request = { request: randomUUID(), squash: false, ward: true, environment: place.environment, ...options }
    return mergeRun(outside, {
      run,
      state,
      project: place.project,
      request,
      key: `${RUN}:merge:${request.request}`,
      signal,
    })
  }
}
const files = { 'a.txt': '1\n2\n3\n', 'b.txt': '1\n' }
const head = (place: Place) => place.git(['rev-parse', 'HEAD']).trim()
const status = (place: Place) => place.git(['status', '--porcelain']).trim()
/** All but refs and objects of ours; git's own look at the index may refresh it. */
const state = (place: Place) =>
  Object.entries(everything(place.project)).filter(
    ([path]) => !/^\.git\/(worktrees|index$|(logs\/)?refs\/heads\/rehoboam)/.test(path),
  )

async function refusal(place: Place, merge: () => Promise<unknown>, code: string): Promise<string> {
  const before = state(place)
  const error = await merge().then(
    () => expect.fail('it was merged'),
    (error: Error & { code: string }) => error,
  )
  expect(error.code).toBe(code)
  expect(state(place)).toEqual(before)
  return error.message
}

test('a result comes into a branch that did not move, beside what is dirty there and not among its files [merge-command]', async () => {
  using place = scratch()
  place.commit(files)
  // Red would refuse: where nothing has moved nothing has to be checked again.
  const merge = await ended(place, ['false'])
  const before = head(place)
  place.write('b.txt', 'dirty\n')
  place.write('staged.txt', 'x\n')
  place.git(['add', 'staged.txt'])
  place.write('.git/hooks/post-merge', '#!/bin/sh\ntouch hook-ran\n')
  expect(await merge()).toMatchObject({ state: 'merged', branch: 'main', commit: head(place), files: 2, ward: null })
  expect(place.git(['rev-parse', 'HEAD^1', 'HEAD^2']).trim().split('\n')).toEqual([
    before,
    place.git(['rev-parse', `rehoboam/${RUN}`]).trim(),
  ])
  expect(place.git(['log', '-1', '--format=%an: %s']).trim()).toBe(
    `Ada Lovelace: Merge rehoboam/${RUN}: Make it better`,
  )
  expect([place.read('a.txt'), place.read('new.txt'), place.read('b.txt')]).toEqual([
    '1\n2\n3\nresult\n',
    'result\n',
    'dirty\n',
  ])
  expect(
    status(place)
      .split('\n')
      .map(line => line.trim()),
  ).toEqual(['M b.txt', 'A  staged.txt'])
  expect(await merge()).toEqual({ state: 'already', branch: 'main', commit: head(place) })
  expect(await merge({ squash: true })).toMatchObject({ state: 'already' })
})

test('a dirty file among those changed, also one that git was told to overlook, refuses; it is named, and what to type [merge-refused]', async () => {
  using place = scratch()
  place.commit({ ...files, '.gitignore': 'new.*\n' })
  const merge = await ended(place)
  place.git(['-C', join(place.root, 'state/worktrees', RUN), 'add', '--force', 'new.txt'])
  place.git(['-C', join(place.root, 'state/worktrees', RUN), 'commit', '-qm', 'new.txt'])
  place.write('new.txt', 'my own\n')
  expect(await refusal(place, merge, 'merge-dirty')).toMatch(/- new\.txt\n(.|\n)*git stash/)
  rmSync(join(place.project, 'new.txt'))
  place.write('a.txt', 'my own\n')
  expect(await refusal(place, merge, 'merge-dirty')).toContain('- a.txt\n')
  place.git(['add', 'a.txt'])
  expect(await refusal(place, merge, 'merge-dirty')).toContain('- a.txt\n')
  place.git(['reset', '--quiet', '--hard'])
  expect(await merge()).toMatchObject({ state: 'merged' })
})

test('a branch that moved: conflicts refuse, red checks on the forecast refuse, green ones let it in [merge-moved] [merge-refused]', async () => {
  using place = scratch()
  place.commit(files)
  const merge = await ended(place, ['test ! -e bad.txt || { echo "bad.txt is there"; false; }'])
  place.write('a.txt', 'mine\n')
  place.git(['commit', '-qam', 'in conflict'])
  expect(await refusal(place, merge, 'merge-conflict')).toMatch(new RegExp(`- a.txt\n.*git merge rehoboam/${RUN}`))
  place.git(['reset', '--quiet', '--hard', 'HEAD~1'])
  place.write('bad.txt', 'x\n')
  place.git(['add', '--all'])
  place.git(['commit', '-qm', 'breaks the checks'])
  expect(await refusal(place, merge, 'merge-red')).toMatch(/--no-ward(.|\n)*bad\.txt is there/)
  place.git(['rm', '--quiet', 'bad.txt'])
  place.git(['commit', '-qm', 'mended'])
  const before = head(place)
  expect(await merge({ squash: true })).toMatchObject({ state: 'merged', ward: 'green', files: 2 })
  expect(place.git(['rev-list', '--parents', '-1', 'HEAD']).trim()).toBe(`${head(place)} ${before}`)
  expect(place.git(['log', '-1', '--format=%s']).trim()).toBe('Make it better')
  expect(status(place)).toBe('')
  expect(await merge()).toEqual({ state: 'already', branch: 'main', commit: head(place) })
})

test('no branch, an unborn one, or one in the middle of something refuses with what to type; a run from before the first commit merges after it [merge-refused] [merge-command]', async () => {
  using place = scratch()
  place.git(['init', '--quiet'])
  for (const [path, text] of Object.entries(files)) place.write(path, text)
  const merge = await ended(place)
  expect(await refusal(place, merge, 'merge-unborn')).toContain('git add --all && git commit')
  place.git(['add', '--all'])
  place.git(['commit', '-qm', 'my first'])
  place.git(['switch', '--quiet', '--detach'])
  expect(await refusal(place, merge, 'merge-detached')).toContain('git switch <branch>')
  place.git(['switch', '--quiet', 'main'])
  place.write('.git/MERGE_HEAD', `${head(place)}\n`)
  expect(await refusal(place, merge, 'git-busy')).toContain('git merge --continue')
  rmSync(join(place.project, '.git/MERGE_HEAD'))
  expect(await merge()).toMatchObject({ state: 'merged', files: 2 })
  expect(place.read('a.txt')).toBe('1\n2\n3\nresult\n')
})
