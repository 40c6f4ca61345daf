import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { TaskView } from '../../src/contract/pool.ts'
import { bash, say, turns } from '../../src/rehearsal/lines.ts'
import { git, gitProject } from '../loop/projects.ts'
import { PROGRAM, type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { POOL, plan, shown, worker } from './projects.ts'

// Each command is a process: on a busy machine that takes its time.
vi.setConfig({ testTimeout: 240_000 })

const PLAN = POOL.filter(word => word !== '--auto-spawn-workers')
const json = async <T>(home: TempHome, args: string[], env = {}) => {
  const { code, out, err } = await home.rehoboam([...args, '--json'], env)
  if (code !== 0) throw new Error(`${args.join(' ')}: ${err}`)
  return JSON.parse(out) as T
}
const states = async (home: TempHome) =>
  (await json<{ tasks: TaskView[] }>(home, ['task', 'list'])).tasks.map(({ id, state }) => `${id} ${state}`)

async function planned(tasks: string[], more: Parameters<typeof tempHome>[0] = {}) {
  const home = await tempHome({ scenario: plan(tasks), ...more })
  gitProject(home.project)
  const { code, err } = await home.rehoboam([...PLAN, '--no-ward', '--wait'])
  if (code !== 0) throw new Error(err)
  return { home, run: home.runs().find(id => !id.includes('.'))! }
}

test('eight processes claim from five hundred tasks at once: each is given to exactly one [task-claim-exclusive]', async () => {
  const ids = Array.from({ length: 500 }, (_, n) => `T${n}`)
  const { home, run } = await planned(ids.map(id => `[${id}] Do ${id}`))
  await using _ = home
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
  const program = join(import.meta.dirname, 'claimer.ts')
  const claimers = Array.from({ length: 8 }, () => home.start([run, PROGRAM, version], {}, program).ended)
  const ended = await Promise.all(claimers)
  expect(ended.map(({ code, err }) => [code, err])).toEqual(Array(8).fill([0, '']))
  const claimed = ended.flatMap(({ out }) => out.split('\n').filter(Boolean))
  expect(claimed.length).toBe(500)
  expect(new Set(claimed)).toEqual(new Set(ids))
})

test('a person lists, adds, claims, releases and finishes tasks; the file follows, and mistakes are told [task-by-hand]', async () => {
  const { home, run } = await planned(['[A] Do the first', 'Do the second'])
  await using _ = home
  expect(await states(home)).toEqual(['A pending', 'TASK-001 pending'])
  const added = await home.rehoboam(['task', 'add', 'Do \u001b[31mmore', '--id', 'More'])
  expect([added.code, added.out]).toEqual([0, 'task More is added: Do more\n'])
  expect((await home.rehoboam(['task', 'claim'])).out).toBe('task A is yours: Do the first\n')
  const wrong = async (...args: string[]) => (await home.rehoboam(['task', ...args])).err
  expect(await wrong('claim', 'a')).toContain('task A is claimed (person)')
  expect(await wrong('claim', 'nobody')).toContain('has no task "nobody"')
  expect(await wrong('add', 'again', '--id', 'a')).toContain('the id a is used already')
  expect(await wrong('add', 'again', '--id', '../x')).toContain('is no id of a task')
  expect(await wrong('release', 'TASK-001')).toContain('task TASK-001 is pending, not claimed')
  await home.rehoboam(['task', 'done', 'a'])
  await home.rehoboam(['task', 'claim', 'More'])
  await home.rehoboam(['task', 'release', 'More'])
  expect(await states(home)).toEqual(['A done', 'TASK-001 pending', 'More pending'])
  const path = join(home.project, '.rehoboam/tasks.md')
  // Not there in the moment in which a wrong one is set aside.
  const file = () => (existsSync(path) ? readFileSync(path, 'utf8') : '')
  const pending = /## Pending\n- \[ \] \[TASK-001\] Do the second\n- \[ \] \[More\] Do more\n/
  await until(() => file().includes('- [x] [A] Do the first') && pending.test(file()), 'the file to follow')
  // A tick of somebody's own is put right, kept aside and said.
  writeFileSync(path, file().replace('- [ ] [More]', '- [x] [More]'))
  await home.rehoboam(['task', 'claim', 'More'])
  await until(() => file().includes('- [~] [More] Do more (worker: person)'), 'the file to be put right')
  const aside = readdirSync(join(home.project, '.rehoboam/archive')).find(name => name.endsWith('-tasks.md'))!
  expect(readFileSync(join(home.project, '.rehoboam/archive', aside), 'utf8')).toContain('- [x] [More]')
  await until(async () => (await shown(home, run)).notes.join().includes('More ticked by somebody'), 'the note')
})

test('from inside an agent: only with its session’s token, only its own task, and done is a claim; one whose loop directory is wrong is told so and changes nothing [task-inside-agent] [pool-loop-directory]', async () => {
  const { home, run } = await planned(['[A] Do the first', '[B] Do the second'])
  await using _ = home
  const refused = async (args: string[], env: Record<string, string>) => {
    const { code, err } = await home.rehoboam(['task', ...args], env)
    return [code, err]
  }
  const inside = { CLAUDECODE: '1', REHOBOAM_RUN: `${run}.A` }
  expect(await refused(['done', 'A'], inside)).toEqual([
    2,
    expect.stringContaining('may not be run from inside an agent'),
  ])
  expect(await refused(['done', 'A'], { ...inside, REHOBOAM_TOKEN: 'x.y' })).toEqual([
    1,
    expect.stringContaining('not the token of a session'),
  ])
  expect((await home.rehoboam(['task', 'list', '--run', run], inside)).code).toBe(0)

  const cli = `"${process.execPath}" "${PROGRAM}" task`
  const wrong = `REHOBOAM_LOOP_DIR=/nowhere/at/all ${cli} done; REHOBOAM_LOOP_DIR="${home.project}/.rehoboam" ${cli} release`
  const tries = `${wrong}; ${cli} done B; ${cli} claim; ${cli} add more; ${cli} done; echo code $?`
  const planner = () =>
    ['progress.md', 'state.json'].map(name => readFileSync(join(home.project, '.rehoboam', name), 'utf8'))
  await until(() => planner()[1]!.includes('"status": "complete"'), 'the end of the planner to be written')
  const planners = planner()
  home.model.replaceRules([
    ...turns({ role: 'worker', task: 'A' }, bash(`echo a > a.txt; (${tries}) 2>&1`), say('I am finished.')),
    ...worker('B', 'echo b > b.txt'),
  ])
  await home.rehoboam(['spawn', '--loop', '--role', 'worker', '--no-ward', '--allowed-tools', 'Bash', '--wait'])
  const told = await home.model.waitFor(({ line, turn }) => line.task === 'A' && turn === 1)
  const heard = JSON.stringify(told)
  for (const sentence of [
    'may not change this task',
    'may not claim a task',
    'may not add tasks',
    'is claimed to be done',
    'code 0',
    '/nowhere/at/all',
    `which is not the loop directory of ${run}.A; nothing was changed`,
  ]) {
    expect(heard).toContain(sentence)
  }
  expect(planner()).toEqual(planners)
  const { status, cause, pool } = await shown(home, run)
  expect([status, cause, pool!.tasks.map(({ state }) => state)]).toEqual(['complete', 'merged', ['merged', 'merged']])
  expect(git(home.project, 'ls-tree', '--name-only', `rehoboam/${run}`)).toBe('README.md\na.txt\nb.txt\n')
})

test('a planner alone ends with its plan; without a task, a repository or agreement it is refused or stalled [pool-planner-alone]', async () => {
  const { home, run } = await planned(['[A] Do it'])
  await using _ = home
  expect(await shown(home, run)).toMatchObject({ kind: 'pool', status: 'complete', cause: 'planned' })
  home.model.replaceRules(turns({ role: 'planner' }, say('PLANNING COMPLETE')))
  const empty = await home.rehoboam([...PLAN, '--no-ward', '--wait'])
  expect([empty.code, empty.out]).toEqual([3, expect.stringContaining('there is no task to do')])
  writeFileSync(join(home.project, 'new.txt'), 'x')
  expect(await home.rehoboam([...PLAN, '--no-ward'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('new.txt'),
  })
  rmSync(join(home.project, '.git'), { recursive: true })
  expect((await home.rehoboam([...PLAN, '--no-ward'])).err).toContain('git init')
})
