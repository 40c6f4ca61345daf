import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say, turns } from '../../src/rehearsal/replies.ts'
import { homeWithGuests } from './guest.ts'
import { eventsOf, questions, resume, scriptClient, show, spawnRun, tell, untilStatus } from './runs.ts'

const guest = homeWithGuests()
const DONE = [{ reply: say('Done.') }]

test('a project directory that is removed pauses the run before its next turn; back again, resume goes on [session-project-missing]', async () => {
  await using home = await guest([...turns({ attempt: 1 }, say('First.', { fault: { kind: 'hang' } })), ...DONE])
  const run = await spawnRun(home, 'Do it')
  await home.model.waitFor(() => true)
  await tell(home, run, 'More')
  rmSync(home.project, { recursive: true })
  home.model.release()

  const paused = await untilStatus(home, run, 'paused')
  expect(paused).toMatchObject({ cause: 'project-missing', sentence: 'its project directory is missing' })
  expect(questions(home)).toHaveLength(1)
  mkdirSync(home.project)
  await resume(home, run, 'Go on')
  await untilStatus(home, run, 'complete')
})

test('a directory that is not there is wrong usage, and no run [session-project-missing]', async () => {
  await using home = await guest()
  const missing = await home.rehoboam(['spawn', '--prompt', 'Do it', '--dir', join(home.root, 'nowhere')])
  expect([missing.code, missing.err]).toEqual([
    2,
    `rehoboam: ${join(home.root, 'nowhere')} is not a directory; --dir names the project\n`,
  ])
  expect(home.runs()).toEqual([])
})

test.each([
  ['a name that is not on the PATH', 'no-such-client'],
  ['a path where nothing is', '/nowhere/claude'],
  ['a file that cannot be executed', '/etc/passwd'],
])('a client that is %s fails the run, and its name is said [session-client-missing]', async (_, claude) => {
  await using home = await guest()
  const ended = await home.rehoboam(['spawn', '--prompt', 'Do it', '--claude', claude, '--wait'])
  expect(ended.code).toBe(1)
  expect(ended.out).toContain(`failed: the client program could not be started: ${claude}`)
  expect(await show(home, home.runs()[0]!)).toMatchObject({ status: 'failed', cause: 'client-missing' })
})

test('a client is found by its name on the caller’s PATH, not on the daemon’s [session-client-missing]', async () => {
  await using home = await guest(DONE)
  await home.daemon.ready()
  const folder = join(home.root, 'bin')
  mkdirSync(folder)
  scriptClient(home, join('bin', 'my-claude'), `exec '${home.env.REHOBOAM_CLAUDE}' "$@"`)
  const env = { REHOBOAM_CLAUDE: 'my-claude', PATH: `${folder}:${home.env.PATH}` }
  expect(await home.rehoboam(['spawn', '--prompt', 'Do it', '--wait'], env)).toMatchObject({ code: 0 })
})

test('a session that somebody has open elsewhere pauses the run; closed, resume goes on [session-busy]', async () => {
  await using home = await guest(DONE)
  const run = await spawnRun(home, 'Do it')
  const { session } = await untilStatus(home, run, 'complete')
  const other = spawn('/bin/sh', ['-c', 'echo up; read _', 'claude', '--resume', session], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  await once(other.stdout, 'data')

  const waited = await home.rehoboam(['resume', run, 'More', '--wait'])
  expect(waited.code).toBe(6)
  expect(waited.out).toContain('could not start: somebody has this session open elsewhere')
  expect(await show(home, run)).toMatchObject({ status: 'paused', cause: 'session-busy' })
  expect(questions(home)).toHaveLength(1)

  other.stdin.end()
  await once(other, 'exit')
  await resume(home, run, 'Now')
  await untilStatus(home, run, 'complete')
  expect(eventsOf(home, run, 'session-started')).toHaveLength(2)
})
