import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { say } from '../../src/rehearsal/replies.ts'
import { git } from '../loop/projects.ts'
import { linesOf } from '../session/runs.ts'
import { type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { command, plan, projectIn, shown, startPool, untilEnd, worker } from './projects.ts'

// One home for both: each test has a directory, an anchor and task ids of its own.
let home: TempHome
beforeAll(async () => {
  home = await tempHome()
})
afterAll(() => home[Symbol.asyncDispose]())

const ONE_WORKER = { flags: { maxWorkers: '1' } }
const held = (task: string) => ({
  when: { role: 'worker', task, turn: 0 },
  reply: { ...say('Done.\n\nDONE'), fault: { kind: 'hang' as const, name: task } },
})

test('what is told to a pool is in the prompts of workers that come; tasks.md that somebody deleted is written anew, and said [pool-tell] [task-file-gone]', async () => {
  const directory = projectIn(home, 'told')
  home.model.says(...plan(['[A] Do A', '[B] Do B'], { prompt: 'Told' }), held('A'), held('B'))
  const run = await startPool(home, { directory, prompt: 'Told', ...ONE_WORKER })
  await home.model.waitFor(({ line }) => line.task === 'A')
  const told = () => home.journal(`${run}.A`).filter(({ type }) => type === 'told').length
  // Whoever says it again in the same words means it again.
  for (const times of [1, 2]) {
    await command(home, run, 'tell', 'indent with tabs')
    await until(() => told() === times, `the worker to be told ${times} times`)
  }
  const tasks = join(directory, '.rehoboam', 'tasks.md')
  await until(() => readFileSync(tasks, 'utf8').includes('[~] [A]'), 'A to be in progress')
  rmSync(tasks)
  home.model.release('A')
  await home.model.waitFor(({ line }) => line.task === 'B')
  const prompt = readFileSync(join(home.home, 'runs', `${run}.B`, 'turns', '1', 'prompt.md'), 'utf8')
  expect(prompt).toContain('indent with tabs')
  const isSaid = async () => (await shown(home, run)).notes.some(note => note.startsWith('tasks.md was gone'))
  await until(isSaid, 'the note')
  // It is written after that is said.
  const line = `- [~] [B] Do B (worker: ${run}.B)`
  await until(() => linesOf(tasks).includes(line), 'the new tasks.md')
  expect((await shown(home, run)).messagesWaiting).toBe(2)
  await command(home, run, 'cancel')
  await untilEnd(home, run)
})

test('while its only worker works the next worktree is made, from the newest result; when nobody comes for it, it goes [pool-ahead]', async () => {
  const directory = projectIn(home, 'ahead', { 'list.txt': 'alpha\n' })
  home.model.says(
    ...plan(['[D] Do D', '[E] Do E', '[F] Do F'], { prompt: 'Ahead' }),
    ...worker('D', 'echo d > d.txt'),
    held('E'),
  )
  const run = await startPool(home, { directory, prompt: 'Ahead', ...ONE_WORKER })
  await home.model.waitFor(({ line }) => line.task === 'E')
  const place = join(home.home, 'worktrees', `${run}.F`)
  await until(() => existsSync(join(place, 'd.txt')), 'the place of F with what D did')
  const runs = await home.daemon.ask<{ id: string }[]>({ path: '/v1/runs' })
  expect(runs.map(({ id }) => id)).not.toContain(`${run}.F`)
  expect((await shown(home, run)).pool!.tasks.map(({ state }) => state)).toEqual(['merged', 'active', 'pending'])
  await command(home, run, 'cancel')
  await untilEnd(home, run)
  await until(() => !existsSync(place) && !existsSync(join(home.home, 'runs', `${run}.F`)), 'the place to be gone')
  const branch = () => git(directory, 'branch', '--list', `rehoboam-work/${run}/F`)
  await until(() => branch() === '', 'its branch to be gone')
})
