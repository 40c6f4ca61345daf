import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { everything, RUN, scratch } from './scratch.ts'

type Place = ReturnType<typeof scratch>

const take = async (place: Place, iteration = 1) => {
  const request = { directory: place.project, run: RUN, iteration, parent: null, subject: 'x' }
  return (await place.repository.checkpoint(request)).commit
}

test('a checkpoint comes back as a new branch; the user’s tree, index and branch stay [git-restore]', async () => {
  using place = scratch()
  place.commit()
  place.write('lost', 'work')
  const commit = await take(place)
  place.write('lost', 'overwritten')
  const before = everything(place.project)
  await place.repository.restore({ directory: place.project, commit, into: { branch: 'back/from-the-dead' } })
  expect(place.git(['show', 'back/from-the-dead:lost'])).toBe('work')
  const after = everything(place.project)
  for (const path of Object.keys(after)) if (path.includes('back')) delete after[path]
  expect(after).toEqual(before)
})

test('a checkpoint comes back in a new worktree, also by a relative path [git-restore]', async () => {
  using place = scratch()
  place.commit()
  place.write('lost', 'work')
  const commit = await take(place)
  await place.repository.restore({ directory: place.project, commit, into: { worktree: '../as "it" was' } })
  expect(readFileSync(join(place.root, 'as "it" was/lost'), 'utf8')).toBe('work')
})

test('names that are taken or impossible are refused with what to do [git-restore]', async () => {
  using place = scratch()
  place.commit()
  const commit = await take(place)
  const into = (into: { branch: string } | { worktree: string }) =>
    place.repository.restore({ directory: place.project, commit, into })
  mkdirSync(join(place.root, 'empty'))
  const before = everything(place.root)
  await expect(into({ branch: 'main' })).rejects.toMatchObject({
    code: 'branch-taken',
    message: expect.stringContaining(`git show ${commit.slice(0, 10)}`),
  })
  for (const branch of ['-d', 'a..b', '', 'HEAD', 'x\ny']) {
    await expect(into({ branch })).rejects.toMatchObject({ code: 'branch-name' })
  }
  for (const worktree of ['.', '../empty', 'a.txt']) {
    await expect(into({ worktree })).rejects.toMatchObject({ code: 'path-taken' })
  }
  expect(everything(place.root)).toEqual(before)
})

test('before the first commit the branch that is checked out counts as taken [git-restore]', async () => {
  using place = scratch()
  place.git(['init', '--quiet'])
  place.write('a', '1')
  const commit = await take(place)
  const restored = place.repository.restore({ directory: place.project, commit, into: { branch: 'main' } })
  await expect(restored).rejects.toMatchObject({ code: 'branch-taken' })
  await place.repository.restore({ directory: place.project, commit, into: { branch: 'other' } })
  expect(existsSync(join(place.project, '.git/refs/heads/main'))).toBe(false)
})

test('a checkpoint that is gone is said to be gone [git-restore]', async () => {
  using place = scratch()
  place.commit()
  const into = { branch: 'x' }
  const restored = place.repository.restore({ directory: place.project, commit: 'f'.repeat(40), into })
  await expect(restored).rejects.toMatchObject({ code: 'checkpoint-gone' })
})

test('two checkpoints differ in exactly what changed, as text and as a list [git-diff]', async () => {
  using place = scratch()
  const base = place.commit({
    'a.txt': 'one\n',
    'gone "x"': 'x\n',
    'old name': 'a long line that stays\nand another\n',
  })
  place.git(['mv', 'old name', 'new\nname'])
  place.write('a.txt', 'two\n')
  place.git(['rm', '-q', 'gone "x"'])
  place.write('ü', 'new\n')
  const [directory, from, to] = [place.project, base, await take(place)]
  expect(await place.repository.changedFiles({ directory, from, to })).toEqual([
    { status: 'M', path: 'a.txt' },
    { status: 'D', path: 'gone "x"' },
    { status: 'R', path: 'new\nname', was: 'old name' },
    { status: 'A', path: 'ü' },
  ])
  const whole = await place.repository.diff({ directory, from, to, stat: false })
  expect(whole).toMatchObject({ cut: false, text: expect.stringContaining('-one\n+two\n') })
  const one = await place.repository.diff({ directory, from, to, stat: false, paths: ['a.txt', '*'] })
  expect(one.text.match(/^diff --git/gm)).toHaveLength(1)
  const stat = await place.repository.diff({ directory, from, to, stat: true })
  expect(stat.text).toContain('4 files changed, 2 insertions(+), 2 deletions(-)')
  expect(await place.repository.changedFiles({ directory, from: null, to: base })).toHaveLength(3)
  expect(await place.repository.changedFiles({ directory, from: to, to })).toEqual([])
})

test('a long difference is cut at the end of a line, and says so [git-diff]', async () => {
  using place = scratch()
  const from = place.commit()
  place.write('long', 'ä line of words\n'.repeat(200_000))
  const { text, cut } = await place.repository.diff({
    directory: place.project,
    from,
    to: await take(place),
    stat: false,
  })
  expect(cut).toBe(true)
  expect(text.endsWith('+ä line of words\n')).toBe(true)
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2 * 1024 * 1024)
})

test('no program that the project names is run to show a difference [git-diff]', async () => {
  using place = scratch()
  const from = place.commit({ 'a.txt': 'one\n', '.gitattributes': '* diff=evil\n' })
  const touch = `touch '${join(place.home, 'ran')}'; cat`
  for (const key of ['diff.external', 'diff.evil.command', 'diff.evil.textconv', 'core.pager', 'pager.diff-tree']) {
    place.git(['config', key, touch])
  }
  place.write('a.txt', 'two\n')
  const to = await take(place)
  expect((await place.repository.diff({ directory: place.project, from, to, stat: false })).text).toContain('+two')
  await place.repository.changedFiles({ directory: place.project, from, to })
  expect(existsSync(join(place.home, 'ran'))).toBe(false)
})
