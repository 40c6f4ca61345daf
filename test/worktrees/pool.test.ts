import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { git, gitProject } from '../loop/projects.ts'
import { POOL, plan, worker } from '../pool/projects.ts'
import { tempHome } from '../support/temp-home.ts'

test('the result of a pool is looked at, pruned around, and merged as a loop’s is [merge-command] [worktree-prune]', async () => {
  const scenario = [
    ...plan(['[A] Do the part A', '[B] Do the part B']),
    ...worker('A', 'echo a > a.txt'),
    ...worker('B', 'echo b > b.txt'),
  ]
  await using home = await tempHome({ scenario })
  gitProject(home.project)
  expect((await home.rehoboam([...POOL, '--ward', 'test -e README.md', '--worktree', '--wait'])).code).toBe(0)
  const run = home.runs().find(id => !id.includes('.'))!
  const { out: shown } = await home.rehoboam(['show', run, '--json'])
  expect(JSON.parse(shown).diskBytes).toBeGreaterThan(0)
  const { out: diff } = await home.rehoboam(['diff', run])
  expect(diff).toMatch(/\+a\n(.|\n)*\+b\n/)

  const files = join(home.home, 'worktrees', `${run}-loop`)
  expect(existsSync(join(files, '.rehoboam', 'tasks.md'))).toBe(true)
  const { out: pruned } = await home.rehoboam(['prune'])
  expect(pruned).toContain(`removed ${join(home.home, 'worktrees', `${run}-ward`)}`)
  expect(pruned).toContain(`removed ${files}`)
  expect(pruned).toContain(`kept branch rehoboam/${run}: it is the result`)
  expect(pruned).toMatch(new RegExp(`kept \\d+ checkpoints of run ${run}: `))
  expect(readdirSync(join(home.home, 'worktrees'))).toEqual([])
  const { out: dropped } = await home.rehoboam(['prune', '--checkpoints', run])
  expect(dropped).toContain(`checkpoints of run ${run}`)
  expect(git(home.project, 'for-each-ref', 'refs/rehoboam')).toBe('')

  const refused = await home.rehoboam(['merge', `${run}.A`])
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining(`rehoboam merge ${run}`)])
  const merged = await home.rehoboam(['merge', run])
  expect([merged.code, merged.out]).toEqual([0, expect.stringContaining('2 files changed')])
  expect(readFileSync(join(home.project, 'b.txt'), 'utf8')).toBe('b\n')
  expect(existsSync(join(home.project, '.rehoboam'))).toBe(false)
  expect(git(home.project, 'status', '--porcelain')).toBe('')
}, 400_000)
