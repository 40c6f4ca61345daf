import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { InboxState } from '../../src/contract/inbox.ts'
import { bash, say, tool, turns, use } from '../../src/rehearsal/lines.ts'
import { git, gitProject } from '../loop/projects.ts'
import { tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { POOL, plan, shown, theirs, worker } from './projects.ts'

// Several real clients one after the other, beside everything else that a busy machine does.
vi.setConfig({ testTimeout: 400_000 })

const [PLANS, PLANNED] = plan(['[A] Do the part A', '[B] Do the part B'])

test('a planner that edits code and a worker that writes next door change nothing, and are told why [role-harmless]', async () => {
  await using home = await tempHome({ client: 'either' })
  gitProject(home.project)
  const secret = join(home.project, 'theirs.txt')
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
      bash(`echo worked > ${home.project}/.rehoboam/tasks.md; echo a > a.txt`),
      bash('echo a > a.txt'),
      say('Done.\n\nDONE'),
    ),
    ...worker('B', 'echo b > b.txt'),
  ])
  const before = theirs(home.project)
  const { code } = await home.rehoboam([...POOL, '--no-ward', '--wait'])
  expect(code).toBe(0)
  expect(theirs(home.project)).toEqual(before)
  const run = home.runs().find(id => !id.includes('.'))!
  expect(git(home.project, 'ls-tree', '--name-only', `rehoboam/${run}`)).toBe('README.md\na.txt\nb.txt\n')
  expect(git(home.project, 'show', `rehoboam/${run}:README.md`)).toBe('hello\n')
  const heard = async (role: string, turn: number) =>
    JSON.stringify(
      await home.model.waitFor(asked => asked.line.role === role && asked.turn === turn && asked.line.task !== 'B'),
    )
  expect(await heard('planner', 1)).toContain('You are the planner: you read and plan')
  expect(await heard('planner', 2)).toContain('You are the planner: you read and plan')
  expect(await heard('worker', 1)).toContain('You are a worker: you change files in your own worktree only')
  expect(await heard('worker', 2)).toContain('You are a worker: you change files in your own worktree only')
})

test('with the daemon down nobody tells them, what would reach elsewhere waits, and nothing of the user’s changes [role-harmless]', async () => {
  await using home = await tempHome({ client: 'either' })
  gitProject(home.project)
  const secret = join(home.project, 'theirs.txt')
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
    ...worker('B', 'echo b > b.txt'),
  ])
  const before = theirs(home.project)
  /** Its prompt is held by a hook that waits for a daemon; then one comes, and a person says no. */
  const heldAndDenied = async () => {
    await until(() => home.processes().some(isHook) && !home.processes().some(isDaemon), 'the held prompt', 120_000)
    expect(existsSync(secret)).toBe(false)
    const asked = await until(
      async () => {
        const { questions } = await home.daemon.ask<InboxState>({ path: '/v1/inbox/state' })
        return questions.find(({ kind }) => kind === 'permission')
      },
      'the question',
      120_000,
    )
    expect((await home.rehoboam(['deny', asked.id])).code).toBe(0)
  }
  const rests = () =>
    until(
      async () => {
        const found = await shown(home, run)
        return found.status === 'active' ? null : [found.status, found.cause]
      },
      'it to rest',
      240_000,
    )
  const run = (await home.rehoboam([...POOL, '--no-ward'])).out.trim()
  await home.model.waitFor(({ line }) => line.role === 'planner')
  await home.rehoboam(['daemon', 'stop'])
  home.model.release('planner')
  await heldAndDenied()
  // The workers need the credentials that went with the daemon.
  expect(await rests()).toEqual(['paused', 'needs-environment'])
  await home.rehoboam(['resume', run])
  await home.model.waitFor(({ line }) => line.task === 'A', 120_000)
  await home.rehoboam(['daemon', 'stop'])
  home.model.release('A')
  await heldAndDenied()
  await home.rehoboam(['resume', run, '--wait'])
  await until(async () => (await shown(home, run)).endedAt, 'its end', 240_000)
  expect(await shown(home, run)).toMatchObject({ status: 'complete', cause: 'merged' })
  expect(theirs(home.project)).toEqual(before)
  expect(git(home.project, 'ls-tree', '--name-only', `rehoboam/${run}`)).toBe('README.md\na.txt\nb.txt\n')
})

/** `rehoboam hook`, as the client started it, and `rehoboam daemon run`. */
const isHook = (pid: number) => wordsOf(pid).includes('hook')
const isDaemon = (pid: number) => wordsOf(pid).includes('daemon') && !wordsOf(pid).includes('stop')

function wordsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}
