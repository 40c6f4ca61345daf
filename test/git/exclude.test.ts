import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { everything, scratch } from './scratch.ts'

const listOf = (place: ReturnType<typeof scratch>) => place.read('.git/info/exclude')
const untracked = (place: ReturnType<typeof scratch>, directory = place.project) =>
  place.git(['status', '--porcelain', '-z', '-uall'], directory).split('\0').filter(Boolean)

test('named entries are overlooked and nothing else, and what stood in the list stays to the byte [git-exclude]', async () => {
  using place = scratch()
  place.commit()
  place.write('.git/info/exclude', '# mine\r\n*.tmp\r\nno newline at the end')
  for (const path of ['.rehoboam/anchor.md', '.rehoboam/roles/mine.md', 'deep/.rehoboam/anchor.md'])
    place.write(path, 'x')
  const before = everything(place.project)
  await place.repository.exclude(place.project, ['.rehoboam/anchor.md', '.rehoboam/archive'])
  const after = everything(place.project)
  expect(listOf(place)).toBe(
    '# mine\r\n*.tmp\r\nno newline at the end\n# rehoboam: files of its runs\n/.rehoboam/anchor.md\n/.rehoboam/archive\n',
  )
  expect(untracked(place)).toEqual(['?? .rehoboam/roles/mine.md', '?? deep/.rehoboam/anchor.md'])
  for (const each of [before, after]) delete each['.git/info/exclude']
  expect(after).toEqual(before)
})

test('a second time changes nothing, and a further name is added below [git-exclude]', async () => {
  using place = scratch()
  place.commit()
  rmSync(join(place.project, '.git/info'), { recursive: true })
  await place.repository.exclude(place.project, ['.rehoboam/tasks.md', '.rehoboam/tasks.md'])
  const before = everything(place.project)
  await place.repository.exclude(place.project, ['.rehoboam/tasks.md'])
  expect(everything(place.project)).toEqual(before)
  await place.repository.exclude(place.project, ['.rehoboam/tasks.md', '.rehoboam-worker-T1'])
  expect(listOf(place)).toBe('# rehoboam: files of its runs\n/.rehoboam/tasks.md\n/.rehoboam-worker-T1\n')
})

test.each(['packages/a', '[x] *', '!not', 'sp ', 'back\\slash', 'new\nline'])(
  'in the subdirectory %j only its own entries are meant [git-exclude] [git-whole-tree]',
  async below => {
    using place = scratch()
    place.commit()
    mkdirSync(join(place.project, below), { recursive: true })
    for (const directory of ['.', below, 'x']) place.write(join(directory, '.rehoboam/state.json'), 'x')
    await place.repository.exclude(join(place.project, below), ['.rehoboam/state.json'])
    expect(untracked(place).sort()).toEqual(['?? .rehoboam/state.json', '?? x/.rehoboam/state.json'])
  },
)

test('a linked worktree uses the list that its repository has for all [git-exclude]', async () => {
  using place = scratch()
  place.commit()
  const other = join(place.root, 'other')
  place.git(['worktree', 'add', '--quiet', '--detach', other])
  place.write('.rehoboam/state.json', 'x', other)
  await place.repository.exclude(other, ['.rehoboam/state.json'])
  expect(listOf(place)).toContain('/.rehoboam/state.json\n')
  expect(untracked(place, other)).toEqual([])
})

test('what is just being written there is overlooked too: somebody may add all at that moment [git-exclude]', async () => {
  using place = scratch()
  place.commit()
  const below = join(place.project, '[x] *')
  for (const directory of ['.', '[x] *']) place.write(join(directory, '.rehoboam/state.json.9394.63.tmp'), 'x')
  await place.repository.exclude(below, ['.rehoboam/state.json', '.rehoboam/*.tmp'])
  expect(untracked(place)).toEqual(['?? .rehoboam/state.json.9394.63.tmp'])
})
