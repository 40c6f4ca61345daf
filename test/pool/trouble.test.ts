import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { RunSummary } from '../../src/contract/run.ts'
import { bash, say, turns } from '../../src/rehearsal/replies.ts'
import type { RuleSource } from '../../src/rehearsal/scenario.ts'
import { git } from '../loop/projects.ts'
import { type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { command, POOL, plan, projectIn, shown, startPool, theirs, untilEnd, worker } from './projects.ts'

vi.setConfig({ testTimeout: 1_200_000 })

// One home for all: each test has a directory, an anchor and task ids of its own.
let home: TempHome
beforeAll(async () => {
  home = await tempHome({ client: 'either' })
})
afterAll(() => home[Symbol.asyncDispose]())

const held = (rule: RuleSource, name: string): RuleSource => ({
  ...rule,
  reply: { ...rule.reply, fault: { kind: 'hang', name } },
})

test('a worker that cannot start is one failed worker: the others go on, and its task is left with a reason [pool-not-started]', async () => {
  const directory = projectIn(home, 'not-started')
  const [plans, planned] = plan(['[N1] Do the part 1', '[N2] Do the part 2'], { prompt: 'Not started' })
  const workers = [...worker('N1', 'echo a > a.txt'), ...worker('N2', 'echo b > b.txt')]
  home.model.says(plans!, held(planned!, 'not-started'), ...workers)
  const run = await startPool(home, { directory, prompt: 'Not started', noQuestions: true })
  await home.model.waitFor(({ line, turn }) => line.run === `${run}.planner` && turn === 1)
  // Somebody has the branch of that worker checked out, where only one can.
  git(directory, 'worktree', 'add', '-q', '-b', `rehoboam-work/${run}/N2`, join(home.root, 'taken'))
  home.model.release('not-started')
  const ended = await untilEnd(home, run)
  expect([ended.status, ended.cause]).toEqual(['stalled', 'tasks-left'])
  expect(ended.pool!.tasks.map(({ id, state, attempts }) => [id, state, attempts])).toEqual([
    ['N1', 'merged', 0],
    ['N2', 'failed', 3],
  ])
  expect(ended.notes.join()).toContain('could not be started')
  git(directory, 'worktree', 'remove', '--force', join(home.root, 'taken'))
  git(directory, 'branch', '-q', '-D', `rehoboam-work/${run}/N2`)
  await command(home, run, 'resume')
  expect([(await untilEnd(home, run)).status, git(directory, 'ls-tree', '--name-only', `rehoboam/${run}`)]).toEqual([
    'complete',
    'README.md\na.txt\nb.txt\n',
  ])
})

test('a flaky ward is run again before a worker is blamed [pool-flaky-ward]', async () => {
  const directory = projectIn(home, 'flaky-ward')
  home.model.says(
    ...plan(['[F] Do the part'], { prompt: 'Flaky ward' }),
    ...worker('F', 'echo a > a.txt', 'echo blamed > a.txt'),
  )
  const [runs, flag] = [join(home.root, 'ward-runs'), join(home.root, 'flag')]
  // Red the first time that the work is there, and green after that.
  const ward = `test $(ls | wc -l) -lt 2 || { echo run >> ${runs}; test -e ${flag} || { touch ${flag}; exit 1; }; }`
  const run = await startPool(home, { directory, prompt: 'Flaky ward', ward: [ward], noQuestions: true })
  const { status, proven, pool } = await untilEnd(home, run)
  expect([status, proven, pool!.tasks.map(({ state, iterations }) => [state, iterations])]).toEqual([
    'complete',
    true,
    [['merged', 1]],
  ])
  expect(readFileSync(runs, 'utf8')).toBe('run\nrun\n')
  expect(git(directory, 'show', `rehoboam/${run}:a.txt`)).toBe('a\n')
})

test('two pools of one repository at once, the second with a directory of its own: both end merged, nothing is touched [pool-two-at-once]', async () => {
  const directory = projectIn(home, 'two-at-once')
  const [plans, planned] = plan(['[T1] Do the part 1', '[T2] Do the part 2'], { prompt: 'Two at once' })
  // The first pool is held until the second one has begun.
  const first = { ...held(plans!, 'two-at-once'), times: 1 }
  home.model.says(first, plans!, planned!, ...worker('T1', 'echo a > a.txt'), ...worker('T2', 'echo b > b.txt'))
  const before = theirs(directory)
  const prompt = 'Two at once'
  const one = await startPool(home, { directory, prompt })
  await home.model.waitFor(({ line }) => line.run === `${one}.planner`)
  const refused = await home.rehoboam([...POOL, '--dir', directory, '--no-ward'])
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('--worktree')])
  const two = await startPool(home, { directory, prompt, worktree: true })
  await home.model.waitFor(({ line }) => line.run === `${two}.planner`)
  home.model.release('two-at-once')
  for (const run of [one, two]) {
    expect(await untilEnd(home, run)).toMatchObject({ status: 'complete', cause: 'merged' })
    expect(git(directory, 'ls-tree', '--name-only', `rehoboam/${run}`)).toBe('README.md\na.txt\nb.txt\n')
  }
  expect(theirs(directory)).toEqual(before)
})

test('pause rests every child, resume goes on with them, cancel ends them all [pool-commands]', async () => {
  const directory = projectIn(home, 'commands')
  const ids = ['C1', 'C2', 'C3']
  home.model.says(
    ...plan(
      ids.map(id => `[${id}] Do ${id}`),
      { prompt: 'Commands' },
    ),
    ...ids.map(task => held({ when: { role: 'worker', task, turn: 0 }, reply: say('Done.\n\nDONE') }, task)),
  )
  const run = await startPool(home, { directory, prompt: 'Commands', flags: { maxWorkers: '2' } })
  await Promise.all(['C1', 'C2'].map(task => home.model.waitFor(({ line }) => line.task === task)))
  const statuses = async () => {
    const runs = await home.daemon.ask<RunSummary[]>({ path: '/v1/runs' })
    const own = runs.filter(({ id }) => id.startsWith(run))
    return Object.fromEntries(own.map(({ id, status }) => [id.slice(run.length) || 'pool', status]))
  }
  await command(home, run, 'pause')
  const rest = { pool: 'paused', '.planner': 'complete', '.C1': 'paused', '.C2': 'paused' }
  await until(async () => isDeepStrictEqual(await statuses(), rest), 'all to rest').catch(async () => {
    expect(await statuses()).toEqual(rest)
  })
  await command(home, run, 'resume')
  const goOn = async () => {
    const found = await statuses()
    return found['.C1'] === 'active' && found['.C2'] === 'active'
  }
  await until(goOn, 'both to go on')
  await command(home, run, 'cancel')
  await until(async () => Object.values(await statuses()).every(status => status !== 'active'), 'all to end')
  expect(await statuses()).toEqual({
    pool: 'cancelled',
    '.planner': 'complete',
    '.C1': 'cancelled',
    '.C2': 'cancelled',
  })
  expect((await shown(home, run)).pool!.tasks.map(({ state }) => state)).toEqual(['pending', 'pending', 'pending'])
})

test('a worker that takes its own loop directory away does not reach the planner’s, and is told; none is left to do, so one more is refused [pool-loop-directory]', async () => {
  const directory = projectIn(home, 'loop-directory')
  const when = { role: 'worker', task: 'L' }
  home.model.says(
    ...plan(['[L] Do the part L'], { prompt: 'Loop directory' }),
    ...turns(
      { ...when, iteration: 1 },
      bash('rm -rf "$REHOBOAM_LOOP_DIR"; echo a > a.txt'),
      say('Half of it is there, more to do.'),
    ),
    ...turns({ ...when, iteration: 2 }, bash('cat "$REHOBOAM_LOOP_DIR/assigned_task.md"'), say('Done.\n\nDONE')),
  )
  const run = await startPool(home, { directory, prompt: 'Loop directory', noQuestions: true })
  expect([(await untilEnd(home, run)).status, git(directory, 'ls-tree', '--name-only', `rehoboam/${run}`)]).toEqual([
    'complete',
    'README.md\na.txt\n',
  ])
  expect((await shown(home, `${run}.L`)).notes.join()).toContain('was gone and is restored')
  const asked = await home.model.waitFor(({ line, turn }) => line.task === 'L' && line.iteration === '2' && turn === 1)
  expect(JSON.stringify(asked)).toContain('- [ ] [L] Do the part L')
  const planner = () => JSON.parse(readFileSync(join(directory, '.rehoboam/state.json'), 'utf8'))
  // It is written behind the run.
  await until(() => planner().status === 'complete', 'the end of the planner to be written')
  expect(planner()).toMatchObject({ run: `${run}.planner`, role: 'planner' })
  const more = await home.rehoboam(['spawn', '--loop', '--role', 'worker', '--dir', directory, '--no-ward'])
  expect([more.code, more.err]).toEqual([2, expect.stringContaining('no task that is left')])
})
