import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { RUN, scratch } from './scratch.ts'

test('checkpoints are listed in their order, measured, and dropped; another run’s and the user’s stay [git-refs]', async () => {
  using place = scratch()
  place.commit()
  const directory = place.project
  const commits: string[] = []
  for (const iteration of [1, 2, 10]) {
    place.write('noise.bin', randomBytes(100_000))
    const parent = commits.at(-1) ?? null
    const { commit } = await place.repository.checkpoint({ directory, run: RUN, iteration, parent, subject: 'x' })
    commits.push(commit)
  }
  const other = { directory, run: 'run00002' }
  await place.repository.checkpoint({ ...other, iteration: 1, parent: null, subject: 'x' })
  const mine = { directory, run: RUN }
  expect(await place.repository.refsOf(mine)).toEqual(
    [1, 2, 10].map((iteration, at) => ({ iteration, ref: `refs/rehoboam/${RUN}/${iteration}`, commit: commits[at] })),
  )
  const bytes = await place.repository.diskUseOf(mine)
  expect(bytes).toBeGreaterThan(300_000)
  expect(bytes).toBeLessThan(330_000)

  expect(await place.repository.dropRefs(mine)).toBe(3)
  expect(await place.repository.refsOf(mine)).toEqual([])
  expect(await place.repository.diskUseOf(mine)).toBe(0)
  expect(await place.repository.dropRefs(mine)).toBe(0)
  expect((await place.repository.refsOf(other)).length).toBe(1)
  expect(place.git(['for-each-ref', '--format=%(refname)', 'refs/heads']).trim()).toBe('refs/heads/main')
})

test('what is not a run, an iteration or a commit never reaches git’s command line [git-whole-tree]', async () => {
  using place = scratch()
  place.commit()
  const good = { directory: place.project, run: RUN, iteration: 1, parent: null, subject: 'x' }
  for (const bad of [
    { run: '../heads' },
    { run: '--all' },
    { run: `${RUN}.lock` },
    { iteration: -1 },
    { iteration: 1.5 },
  ]) {
    await expect(place.repository.checkpoint({ ...good, ...bad })).rejects.toMatchObject({ code: 'git-bad-ref' })
  }
  await expect(place.repository.checkpoint({ ...good, parent: '--help' })).rejects.toMatchObject({
    code: 'git-bad-commit',
  })
  expect(place.git(['for-each-ref', 'refs/rehoboam'])).toBe('')
})
