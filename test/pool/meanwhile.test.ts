import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say } from '../../src/rehearsal/lines.ts'
import { git, gitProject } from '../loop/projects.ts'
import { linesOf } from '../session/runs.ts'
import { tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { POOL, plan, shown, worker } from './projects.ts'

const LONG = 120_000

test('what is told to a pool is in the prompts of workers that come; tasks.md that somebody deleted is written anew, and said [pool-tell] [task-file-gone]', async () => {
  const held = (task: string) => ({
    when: { role: 'worker', task, turn: 0 },
    reply: { ...say('Done.\n\nDONE'), fault: { kind: 'hang' as const, name: task } },
  })
  await using home = await tempHome({ scenario: [...plan(['[A] Do A', '[B] Do B']), held('A'), held('B')] })
  gitProject(home.project)
  const run = (await home.rehoboam([...POOL, '--no-ward', '--max-workers', '1'])).out.trim()
  await home.model.waitFor(({ line }) => line.task === 'A', LONG)
  const told = () => home.journal(`${run}.A`).filter(({ type }) => type === 'told').length
  // Whoever says it again in the same words means it again.
  for (const times of [1, 2]) {
    await home.rehoboam(['tell', run, 'indent with tabs'])
    await until(() => told() === times, `the worker to be told ${times} times`, LONG)
  }
  const tasks = join(home.project, '.rehoboam', 'tasks.md')
  await until(() => readFileSync(tasks, 'utf8').includes('[~] [A]'), 'A to be in progress', LONG)
  rmSync(tasks)
  home.model.release('A')
  await home.model.waitFor(({ line }) => line.task === 'B', LONG)
  const prompt = readFileSync(join(home.home, 'runs', `${run}.B`, 'turns', '1', 'prompt.md'), 'utf8')
  expect(prompt).toContain('indent with tabs')
  await until(
    async () => (await shown(home, run)).notes.some(note => note.startsWith('tasks.md was gone')),
    'the note',
    LONG,
  )
  // It is written after that is said.
  const line = `- [~] [B] Do B (worker: ${run}.B)`
  await until(() => linesOf(tasks).includes(line), 'the new tasks.md', LONG)
  expect((await shown(home, run)).messagesWaiting).toBe(2)
  await home.rehoboam(['cancel', run])
  await until(async () => (await shown(home, run)).endedAt, 'the end', LONG)
}, 400_000)

test('while its only worker works the next worktree is made, from the newest result; when nobody comes for it, it goes [pool-ahead]', async () => {
  const held = {
    when: { role: 'worker', task: 'B', turn: 0 },
    reply: { ...say('Done.\n\nDONE'), fault: { kind: 'hang' as const, name: 'B' } },
  }
  await using home = await tempHome({
    scenario: [...plan(['[A] Do A', '[B] Do B', '[C] Do C']), ...worker('A', 'echo a > a.txt'), held],
  })
  gitProject(home.project, { 'list.txt': 'alpha\n' })
  const run = (await home.rehoboam([...POOL, '--no-ward', '--max-workers', '1'])).out.trim()
  await home.model.waitFor(({ line }) => line.task === 'B', LONG)
  const place = join(home.home, 'worktrees', `${run}.C`)
  await until(() => existsSync(join(place, 'a.txt')), 'the place of C with what A did', LONG)
  expect(home.runs()).not.toContain('C')
  expect((await shown(home, run)).pool!.tasks.map(({ state }) => state)).toEqual(['merged', 'active', 'pending'])
  await home.rehoboam(['cancel', run])
  await until(async () => (await shown(home, run)).endedAt, 'the end', LONG)
  await until(
    () => !existsSync(place) && !existsSync(join(home.home, 'runs', `${run}.C`)),
    'the place to be gone',
    LONG,
  )
  const branch = () => git(home.project, 'branch', '--list', `rehoboam-work/${run}/C`)
  await until(() => branch() === '', 'its branch to be gone', LONG)
}, 400_000)
