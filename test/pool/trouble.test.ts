import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { expect, test, vi } from 'vitest'
import { bash, say, turns } from '../../src/rehearsal/lines.ts'
import { git, gitProject } from '../loop/projects.ts'
import { tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { POOL, plan, shown, theirs, worker } from './projects.ts'

// Each command is a process: on a busy machine that takes its time.
vi.setConfig({ testTimeout: 300_000 })

test('a worker that cannot start is one failed worker: the others go on, and its task is left with a reason [pool-not-started]', async () => {
  const [plans, planned] = plan(['[A] Do the part A', '[B] Do the part B'])
  const hold = { ...planned!, reply: { ...planned!.reply, fault: { kind: 'hang' as const, name: 'plan' } } }
  await using home = await tempHome({
    client: 'real',
    scenario: [plans!, hold, ...worker('A', 'echo a > a.txt'), ...worker('B', 'echo b > b.txt')],
  })
  gitProject(home.project)
  const run = (await home.rehoboam([...POOL, '--no-ward', '--no-questions'])).out.trim()
  await home.model.waitFor(({ line, turn }) => line.role === 'planner' && turn === 1)
  // Somebody has the branch of that worker checked out, where only one can.
  git(home.project, 'worktree', 'add', '-q', '-b', `rehoboam-work/${run}/B`, join(home.root, 'taken'))
  home.model.release('plan')
  const ended = await until(
    async () => {
      const found = await shown(home, run)
      return found.endedAt ? found : null
    },
    'its end',
    200_000,
  )
  expect([ended.status, ended.cause]).toEqual(['stalled', 'tasks-left'])
  expect(ended.pool!.tasks.map(({ id, state, attempts }) => [id, state, attempts])).toEqual([
    ['A', 'merged', 0],
    ['B', 'failed', 3],
  ])
  expect(ended.notes.join()).toContain('could not be started')
  git(home.project, 'worktree', 'remove', '--force', join(home.root, 'taken'))
  git(home.project, 'branch', '-q', '-D', `rehoboam-work/${run}/B`)
  const { code } = await home.rehoboam(['resume', run, '--wait'])
  expect([code, git(home.project, 'ls-tree', '--name-only', `rehoboam/${run}`)]).toEqual([
    0,
    'README.md\na.txt\nb.txt\n',
  ])
})

test('a flaky ward is run again before a worker is blamed [pool-flaky-ward]', async () => {
  await using home = await tempHome({
    client: 'real',
    scenario: [...plan(['[A] Do the part A']), ...worker('A', 'echo a > a.txt', 'echo blamed > a.txt')],
  })
  gitProject(home.project)
  const [runs, flag] = [join(home.root, 'runs'), join(home.root, 'flag')]
  // Red the first time that the work is there, and green after that.
  const ward = `test $(ls | wc -l) -lt 2 || { echo run >> ${runs}; test -e ${flag} || { touch ${flag}; exit 1; }; }`
  const { code } = await home.rehoboam([...POOL, '--ward', ward, '--wait'])
  const run = home.runs().find(id => !id.includes('.'))!
  const { proven, pool } = await shown(home, run)
  expect([code, proven, pool!.tasks.map(({ state, iterations }) => [state, iterations])]).toEqual([
    0,
    true,
    [['merged', 1]],
  ])
  expect(readFileSync(runs, 'utf8')).toBe('run\nrun\n')
  expect(git(home.project, 'show', `rehoboam/${run}:a.txt`)).toBe('a\n')
})

test('two pools of one repository at once, the second with a directory of its own: both end merged, nothing is touched [pool-two-at-once]', async () => {
  await using home = await tempHome({
    client: 'real',
    scenario: [
      ...plan(['[A] Do the part A', '[B] Do the part B']),
      ...worker('A', 'echo a > a.txt'),
      ...worker('B', 'echo b > b.txt'),
    ],
  })
  gitProject(home.project)
  const before = theirs(home.project)
  const first = (await home.rehoboam([...POOL, '--no-ward'])).out.trim()
  const refused = await home.rehoboam([...POOL, '--no-ward'])
  const second = (await home.rehoboam([...POOL, '--no-ward', '--worktree'])).out.trim()
  if (!(await shown(home, first)).endedAt)
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('--worktree')])
  for (const run of [first, second]) {
    await until(async () => (await shown(home, run)).endedAt, `the end of ${run}`, 200_000)
    expect(await shown(home, run)).toMatchObject({ status: 'complete', cause: 'merged' })
    expect(git(home.project, 'ls-tree', '--name-only', `rehoboam/${run}`)).toBe('README.md\na.txt\nb.txt\n')
  }
  expect(theirs(home.project)).toEqual(before)
})

test('pause rests every child, resume goes on with them, cancel ends them all [pool-commands]', async () => {
  const held = (task: string) => [
    {
      when: { role: 'worker', task, turn: 0 },
      reply: { ...say('Done.\n\nDONE'), fault: { kind: 'hang' as const, name: task } },
    },
  ]
  await using home = await tempHome({
    scenario: [...plan(['[A] Do A', '[B] Do B', '[C] Do C']), ...held('A'), ...held('B'), ...turns({}, say('x'))],
  })
  gitProject(home.project)
  const run = (await home.rehoboam([...POOL, '--no-ward', '--max-workers', '2'])).out.trim()
  const works = (task: string) => home.model.waitFor(({ line }) => line.task === task)
  await Promise.all([works('A'), works('B')])
  const statuses = async () => {
    const runs = JSON.parse((await home.rehoboam(['runs', '--json'])).out) as {
      id: string
      status: string
      parent: string | null
    }[]
    return Object.fromEntries(runs.map(({ id, status }) => [id.slice(run.length) || 'pool', status]))
  }
  await home.rehoboam(['pause', run])
  const rest = { pool: 'paused', '.planner': 'complete', '.A': 'paused', '.B': 'paused' }
  await until(async () => isDeepStrictEqual(await statuses(), rest), 'all to rest').catch(async () => {
    expect(await statuses()).toEqual(rest)
  })
  await home.rehoboam(['resume', run])
  await until(
    async () => (await statuses())['.A'] === 'active' && (await statuses())['.B'] === 'active',
    'both to go on',
  )
  await home.rehoboam(['cancel', run])
  await until(async () => Object.values(await statuses()).every(status => status !== 'active'), 'all to end')
  expect(await statuses()).toEqual({ pool: 'cancelled', '.planner': 'complete', '.A': 'cancelled', '.B': 'cancelled' })
  expect((await shown(home, run)).pool!.tasks.map(({ state }) => state)).toEqual(['pending', 'pending', 'pending'])
})

test('a worker that takes its own loop directory away does not reach the planner’s, and is told; none is left to do, so one more is refused [pool-loop-directory]', async () => {
  await using home = await tempHome({
    client: 'real',
    scenario: [
      ...plan(['[A] Do the part A']),
      ...turns(
        { role: 'worker', task: 'A', iteration: 1 },
        bash('rm -rf "$REHOBOAM_LOOP_DIR"; echo a > a.txt'),
        say('Half of it is there, more to do.'),
      ),
      ...turns(
        { role: 'worker', task: 'A', iteration: 2 },
        bash('cat "$REHOBOAM_LOOP_DIR/assigned_task.md"'),
        say('Done.\n\nDONE'),
      ),
    ],
  })
  gitProject(home.project)
  const { code } = await home.rehoboam([...POOL, '--no-ward', '--wait'])
  const run = home.runs().find(id => !id.includes('.'))!
  expect([code, git(home.project, 'ls-tree', '--name-only', `rehoboam/${run}`)]).toEqual([0, 'README.md\na.txt\n'])
  const worker = await shown(home, `${run}.A`)
  expect(worker.notes.join()).toContain('was gone and is restored')
  const asked = await home.model.waitFor(({ line, turn }) => line.iteration === '2' && turn === 1)
  expect(JSON.stringify(asked)).toContain('- [ ] [A] Do the part A')
  const planner = JSON.parse(readFileSync(join(home.project, '.rehoboam/state.json'), 'utf8'))
  expect(planner).toMatchObject({ run: `${run}.planner`, role: 'planner', status: 'complete' })
  const more = await home.rehoboam(['spawn', '--loop', '--role', 'worker', '--no-ward'])
  expect([more.code, more.err]).toEqual([2, expect.stringContaining('no task that is left')])
})
