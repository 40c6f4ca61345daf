import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RuleSource } from '../../src/rehearsal/scenario.ts'
import { git, gitProject } from '../loop/projects.ts'
import { tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { POOL, plan, shown, theirs, worker } from './projects.ts'

const TASKS = ['A', 'B', 'C', 'D', 'E', 'F', 'G'].map(id => `[${id}] Do the part ${id}`)
const RESOLVED = `printf 'alpha-both\\nbeta\\n' > list.txt`
const held = ([first, ...rest]: RuleSource[]): RuleSource[] => [
  { ...first!, reply: { ...first!.reply, fault: { kind: 'hang', name: 'begun' } } },
  ...rest,
]
const SCENARIO = [
  ...plan(TASKS),
  ...worker('A', 'echo a > a.txt'),
  // B and C change the same line. Both are held until both have begun, so whoever is merged second has a conflict.
  ...held(worker('B', `sed -i 's/alpha/alpha-b/' list.txt`, RESOLVED)),
  ...held(worker('C', `sed -i 's/alpha/alpha-c/' list.txt`, RESOLVED)),
  // This one breaks the checks, and mends it when it hears so.
  ...worker('D', 'echo d > d.txt; touch broken', 'rm broken'),
  ...worker('E', 'echo e > e.txt; echo "- Never touch list.txt twice." >> "$REHOBOAM_LOOP_DIR/guardrails.md"'),
  ...worker('F', 'mkdir -p deep && echo f > deep/f.txt'),
  ...worker('G', 'echo g > g.txt; git add -A; git commit -qm "by the worker itself"'),
]

test('seven tasks, three workers, a conflict and a broken ward: all ends merged and green, and nothing of the user’s is touched [pool-whole]', async () => {
  await using home = await tempHome({ client: 'either', scenario: SCENARIO })
  gitProject(home.project, { 'list.txt': 'alpha\nbeta\n', 'README.md': 'hello\n' })
  writeFileSync(join(home.project, 'README.md'), 'stashed\n')
  git(home.project, 'stash')
  const before = theirs(home.project)

  const waiting = home.rehoboam([...POOL, '--ward', 'test ! -e broken', '--wait'])
  await Promise.all(['B', 'C'].map(task => home.model.waitFor(({ line }) => line.task === task)))
  home.model.release('begun')
  const ended = await waiting
  expect([ended.code, ended.err]).toEqual([0, expect.not.stringContaining('not have happened')])
  const run = home.runs().find(id => !id.includes('.'))!
  const { pool, status, cause, proven, steps } = await shown(home, run)
  expect({ status, cause, proven, steps }).toEqual({
    status: 'complete',
    cause: 'merged',
    proven: true,
    steps: { total: 7, complete: 7, running: 0, blocked: 0 },
  })
  expect(pool!.tasks.map(({ id, by }) => `${id} ${by}`)).toEqual('ABCDEFG'.split('').map(id => `${id} ${run}.${id}`))
  const iterations = Object.fromEntries(pool!.tasks.map(task => [task.id, task.iterations]))
  expect([iterations.D, iterations.B! + iterations.C!]).toEqual([2, 3])

  const branch = `rehoboam/${run}`
  expect(git(home.project, 'ls-tree', '-r', '--name-only', branch).trim().split('\n')).toEqual([
    'README.md',
    'a.txt',
    'd.txt',
    'deep/f.txt',
    'e.txt',
    'g.txt',
    'list.txt',
  ])
  expect(git(home.project, 'show', `${branch}:list.txt`)).toBe('alpha-both\nbeta\n')
  expect(theirs(home.project)).toEqual(before)
  expect(git(home.project, 'status', '--porcelain')).toBe('')

  // What people read: every task ticked, lessons of workers with the planner's.
  const file = (name: string) => readFileSync(join(home.project, '.rehoboam', name), 'utf8')
  await until(() => (file('tasks.md').match(/- \[x\]/g) ?? []).length === 7, 'tasks.md to be written')
  expect(file('guardrails.md')).toContain('- Never touch list.txt twice.')
  // Nothing is left behind: worktrees and branches of workers are gone, their commits are on the result.
  expect(git(home.project, 'branch', '--list', 'rehoboam-work/*')).toBe('')
  expect(readdirSync(join(home.home, 'worktrees')).filter(name => !/-(ward|planner)$/.test(name))).toEqual([])
  expect(existsSync(join(home.project, '.gitignore'))).toBe(false)
  // Each worker was told its one task, and nobody else's.
  const asked = await home.model.waitFor(({ line }) => line.task === 'A')
  expect(asked.prompt).toContain('Do the part A')
  expect(asked.prompt).not.toContain('Do the part B')
}, 400_000)
