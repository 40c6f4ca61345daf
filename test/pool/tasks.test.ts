import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TaskView } from '../../src/contract/pool.ts'
import { bash, say, turns } from '../../src/rehearsal/replies.ts'
import { git } from '../loop/projects.ts'
import { PLAYS_ALL } from '../support/plays-all.ts'
import { PROGRAM, type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { POOL, plan, projectIn, shown, startPool, untilEnd, worker } from './projects.ts'

const PLAN = POOL.filter(word => word !== '--auto-spawn-workers')

// One home for all: each test has a directory and an anchor of its own.
let home: TempHome
beforeAll(async () => {
  home = await tempHome()
})
afterAll(() => home[Symbol.asyncDispose]())

const [CLAIMERS, TASKS] = PLAYS_ALL ? [8, 500] : [3, 40]

/** A planner alone that has written these tasks and ended. Its anchor is the name of its directory. */
async function planned(name: string, tasks: string[]) {
  const directory = projectIn(home, name)
  home.model.says(...plan(tasks, { prompt: name }))
  const run = await startPool(home, { directory, prompt: name, autoSpawn: false, noQuestions: true })
  expect(await untilEnd(home, run)).toMatchObject({ kind: 'pool', status: 'complete', cause: 'planned' })
  return { directory, run }
}

test('processes that claim tasks at once never get the same one, and together get all [task-claim-exclusive]', async () => {
  const ids = Array.from({ length: TASKS }, (_, n) => `T${n}`)
  const { run } = await planned(
    'claims',
    ids.map(id => `[${id}] Do ${id}`),
  )
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
  const program = join(import.meta.dirname, 'claimer.ts')
  const ups = Array.from({ length: CLAIMERS }, (_, n) => join(home.root, `claimer-${n}`))
  const go = join(home.root, 'claim')
  const claimers = ups.map(up => home.start([run, PROGRAM, version, up, go], {}, program).ended)
  await until(() => ups.every(up => existsSync(up)), 'all claimers to be up')
  writeFileSync(go, '')
  const ended = await Promise.all(claimers)
  expect(ended.map(({ code, err }) => [code, err])).toEqual(Array(CLAIMERS).fill([0, '']))
  const claimed = ended.flatMap(({ out }) => out.split('\n').filter(Boolean))
  expect(claimed.length).toBe(TASKS)
  expect(new Set(claimed)).toEqual(new Set(ids))
})

test('a person lists, adds, claims, releases and finishes tasks; the file follows, and mistakes are told [task-by-hand]', async () => {
  const { directory, run } = await planned('by-hand', ['[A] Do the first', 'Do the second'])
  const task = (...args: string[]) => home.rehoboam(['task', ...args, '--dir', directory])
  const states = async () => {
    const { tasks } = JSON.parse((await task('list', '--json')).out) as { tasks: TaskView[] }
    return tasks.map(({ id, state }) => `${id} ${state}`)
  }
  expect(await states()).toEqual(['A pending', 'TASK-001 pending'])
  const added = await task('add', 'Do \u001b[31mmore', '--id', 'More')
  expect([added.code, added.out]).toEqual([0, 'task More is added: Do more\n'])
  expect((await task('claim')).out).toBe('task A is yours: Do the first\n')
  const told = await task('claim', 'a')
  expect([told.code, told.err]).toEqual([1, expect.stringContaining('task A is claimed (person)')])
  const ask = (verb: string, id: string, text: string | null = null) =>
    home.daemon.ask({ method: 'POST', path: `/v1/tasks/${verb}`, body: { run, directory, task: id, text } })
  await expect(ask('claim', 'nobody')).rejects.toThrow('has no task "nobody"')
  await expect(ask('add', 'a', 'again')).rejects.toThrow('the id a is used already')
  await expect(ask('add', '../x', 'again')).rejects.toThrow('is no id of a task')
  await expect(ask('release', 'TASK-001')).rejects.toThrow('task TASK-001 is pending, not claimed')
  await ask('claim', 'More')
  await task('release', 'More')
  await task('done', 'a')
  expect(await states()).toEqual(['A done', 'TASK-001 pending', 'More pending'])
  const path = join(directory, '.rehoboam/tasks.md')
  // Not there in the moment in which a wrong one is set aside.
  const file = () => (existsSync(path) ? readFileSync(path, 'utf8') : '')
  const pending = /## Pending\n- \[ \] \[TASK-001\] Do the second\n- \[ \] \[More\] Do more\n/
  await until(() => file().includes('- [x] [A] Do the first') && pending.test(file()), 'the file to follow')
  // A tick of somebody's own is put right, kept aside and said.
  writeFileSync(path, file().replace('- [ ] [More]', '- [x] [More]'))
  await ask('claim', 'More')
  await until(() => file().includes('- [~] [More] Do more (worker: person)'), 'the file to be put right')
  const aside = readdirSync(join(directory, '.rehoboam/archive')).find(name => name.endsWith('-tasks.md'))!
  expect(readFileSync(join(directory, '.rehoboam/archive', aside), 'utf8')).toContain('- [x] [More]')
  await until(async () => (await shown(home, run)).notes.join().includes('More ticked by somebody'), 'the note')
})

test('from inside an agent: only with its session’s token, only its own task, and done is a claim; one whose loop directory is wrong is told so and changes nothing [task-inside-agent] [pool-loop-directory]', async () => {
  const { directory, run } = await planned('inside', ['[A] Do the first', '[B] Do the second'])
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
  const wrong = `REHOBOAM_LOOP_DIR=/nowhere/at/all ${cli} done; REHOBOAM_LOOP_DIR="${directory}/.rehoboam" ${cli} release`
  const tries = `${wrong}; ${cli} done B; ${cli} claim; ${cli} add more; ${cli} done; echo code $?`
  const planner = () =>
    ['progress.md', 'state.json'].map(name => readFileSync(join(directory, '.rehoboam', name), 'utf8'))
  await until(() => planner()[1]!.includes('"status": "complete"'), 'the end of the planner to be written')
  const planners = planner()
  home.model.says(
    ...turns({ role: 'worker', task: 'A' }, bash(`echo a > a.txt; (${tries}) 2>&1`), say('I am finished.')),
    ...worker('B', 'echo b > b.txt'),
  )
  const spawn = ['spawn', '--loop', '--role', 'worker', '--dir', directory]
  await home.rehoboam([...spawn, '--no-ward', '--allowed-tools', 'Bash', '--wait'])
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
  expect(git(directory, 'ls-tree', '--name-only', `rehoboam/${run}`)).toBe('README.md\na.txt\nb.txt\n')
})

test('a planner alone ends with its plan; without a task, a repository or agreement it is refused or stalled [pool-planner-alone]', async () => {
  const { directory } = await planned('alone', ['[A] Do it'])
  const again = [...PLAN, '--dir', directory, '--no-ward']
  home.model.says(...turns({ role: 'planner', prompt: 'Write all the files' }, say('PLANNING COMPLETE')))
  const empty = await home.rehoboam([...again, '--wait'])
  expect([empty.code, empty.out]).toEqual([3, expect.stringContaining('there is no task to do')])
  writeFileSync(join(directory, 'new.txt'), 'x')
  expect(await home.rehoboam(again)).toMatchObject({
    code: 2,
    err: expect.stringContaining('new.txt'),
  })
  rmSync(join(directory, '.git'), { recursive: true })
  expect((await home.rehoboam(again)).err).toContain('git init')
})
