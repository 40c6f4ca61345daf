import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { InboxState } from '../../src/contract/question.ts'
import { bash, say, tool, turns, use } from '../../src/rehearsal/replies.ts'
import { git } from '../loop/projects.ts'
import { type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { command, plan, projectIn, shown, startPool, theirs, untilEnd, worker } from './projects.ts'

vi.setConfig({ testTimeout: 1_200_000 })

// One home for both: each test has a directory of its own, and the rules of the model from its beginning on.
let home: TempHome
beforeAll(async () => {
  home = await tempHome({ client: 'either' })
})
afterAll(() => home[Symbol.asyncDispose]())

const [PLANS, PLANNED] = plan(['[A] Do the part A', '[B] Do the part B'])

test('a planner that edits code and a worker that writes next door change nothing, and are told why [role-harmless]', async () => {
  const project = projectIn(home, 'told')
  const secret = join(project, 'theirs.txt')
  home.model.replaceRules([
    // In its own worktree, which is thrown away; then in the user's checkout; then what is its to write.
    ...turns(
      { role: 'planner' },
      bash('echo planned > README.md'),
      use(tool('Write', { file_path: secret, content: 'planned' })),
      PLANS!.reply,
      PLANNED!.reply,
    ),
    ...turns(
      { role: 'worker', task: 'A' },
      use(tool('Write', { file_path: secret, content: 'worked' })),
      bash(`echo worked > ${project}/.rehoboam/tasks.md; echo a > a.txt`),
      bash('echo a > a.txt'),
      say('Done.\n\nDONE'),
    ),
    ...worker('B', 'echo b > b.txt'),
  ])
  const before = theirs(project)
  const run = await startPool(home, { directory: project, noQuestions: true })
  expect((await untilEnd(home, run)).status).toBe('complete')
  expect(theirs(project)).toEqual(before)
  expect(git(project, 'ls-tree', '--name-only', `rehoboam/${run}`)).toBe('README.md\na.txt\nb.txt\n')
  expect(git(project, 'show', `rehoboam/${run}:README.md`)).toBe('hello\n')
  const heard = async (role: string, turn: number) =>
    JSON.stringify(
      await home.model.waitFor(
        ({ line, turn: at }) =>
          line.run?.startsWith(run) === true && line.role === role && at === turn && line.task !== 'B',
      ),
    )
  expect(await heard('planner', 1)).toContain('You are the planner: you read and plan')
  expect(await heard('planner', 2)).toContain('You are the planner: you read and plan')
  expect(await heard('worker', 1)).toContain('You are a worker: you change files in your own worktree only')
  expect(await heard('worker', 2)).toContain('You are a worker: you change files in your own worktree only')
})

test('with the daemon down nobody tells them, what would reach elsewhere waits, and nothing of the user’s changes [role-harmless]', async () => {
  const project = projectIn(home, 'alone')
  const secret = join(project, 'theirs.txt')
  const elsewhere = (content: string) => use(tool('Write', { file_path: secret, content }))
  home.model.replaceRules([
    ...turns(
      { role: 'planner' },
      // In its own worktree nobody asks, and nobody keeps it; elsewhere it has to wait for somebody who allows it.
      { fault: { kind: 'hang', name: 'planner' }, ...bash('echo planned > README.md; echo planned > planned.txt') },
      elsewhere('planned'),
      PLANS!.reply,
      PLANNED!.reply,
    ),
    ...turns(
      { role: 'worker', task: 'A' },
      { fault: { kind: 'hang', name: 'A' }, ...elsewhere('worked') },
      bash('echo a > a.txt'),
      say('Done.\n\nDONE'),
    ),
    ...turns(
      { role: 'worker', task: 'B' },
      { fault: { kind: 'hang', name: 'B' }, ...bash('echo b > b.txt') },
      say('Done.\n\nDONE'),
    ),
  ])
  const before = theirs(project)
  /** Its prompt is held by a hook that waits for a daemon; then one comes, and a person says no. */
  const heldAndDenied = async () => {
    await until(() => home.processes().some(isHeldHook) && !home.processes().some(isDaemon), 'the held prompt')
    expect(existsSync(secret)).toBe(false)
    const asked = await until(async () => {
      const { questions } = await home.daemon.ask<InboxState>({ path: '/v1/inbox/state' })
      return questions.find(({ kind }) => kind === 'permission')
    }, 'the question')
    expect((await home.rehoboam(['deny', asked.id])).code).toBe(0)
  }
  const rests = () =>
    until(async () => {
      const found = await shown(home, run)
      return found.status === 'active' ? null : [found.status, found.cause]
    }, 'it to rest')
  const run = await startPool(home, { directory: project })
  await home.model.waitFor(({ line }) => line.run === `${run}.planner`)
  await home.daemon.stop(null)
  home.model.release('planner')
  await heldAndDenied()
  // The workers need the credentials that went with the daemon.
  expect(await rests()).toEqual(['paused', 'needs-environment'])
  await command(home, run, 'resume')
  // Both have begun: nothing needs credentials after that.
  await Promise.all(['A', 'B'].map(task => home.model.waitFor(({ line }) => line.run === `${run}.${task}`)))
  await home.daemon.stop(null)
  home.model.release('A')
  await heldAndDenied()
  home.model.release('B')
  expect(await rests()).toEqual(['complete', 'merged'])
  expect(theirs(project)).toEqual(before)
  expect(git(project, 'ls-tree', '--name-only', `rehoboam/${run}`)).toBe('README.md\na.txt\nb.txt\n')
})

/** `rehoboam hook --hold`, as the client starts it for a permission prompt, and `rehoboam daemon run`. */
const isHeldHook = (pid: number) => wordsOf(pid).includes('--hold')
const isDaemon = (pid: number) => wordsOf(pid).includes('daemon') && !wordsOf(pid).includes('stop')

function wordsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}
