import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { GIT_BY, GIT_OF } from '../../src/adapters/git/run-git.ts'
import { say, turns } from '../../src/rehearsal/replies.ts'
import { eventsOf, linesOf, loggedInClient, questions, spawnRun, untilRun, untilStatus } from '../session/runs.ts'
import { PLAYS_ALL } from '../support/plays-all.ts'
import { tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { keepPort } from './kept-port.ts'
import { clientOf, daemonsOf, sessionProcessesOf, supervisorsOf } from './processes.ts'

const HANGING = turns({}, say('Done.', { fault: { kind: 'hang', name: 'hold' } }))

test('daemon status says that none runs, with code 1, and starts none [daemon-start]', async () => {
  await using home = await tempHome()
  const [words, json] = [await home.rehoboam(['daemon', 'status']), await home.rehoboam(['daemon', 'status', '--json'])]
  expect(words).toMatchObject({ code: 1, err: '', out: 'no daemon is running; rehoboam daemon start starts it\n' })
  expect([json.code, JSON.parse(json.out)]).toEqual([1, { running: false }])
  expect(home.processes()).toEqual([])
})

test('daemon start starts one and says what daemon status says; a second start changes nothing [daemon-start]', async () => {
  await using home = await tempHome()
  const started = await home.rehoboam(['daemon', 'start', '--json'])
  expect(started).toMatchObject({ code: 0, err: '' })
  const status = JSON.parse(started.out)
  expect(status).toMatchObject({
    running: true,
    ...home.daemon.registration(),
    home: home.home,
    sessions: 0,
    notices: [],
  })

  const [again, asked] = [
    await home.rehoboam(['daemon', 'start', '--json']),
    await home.rehoboam(['daemon', 'status', '--json']),
  ]
  expect([JSON.parse(again.out), JSON.parse(asked.out)]).toEqual([status, status])
  const words = await home.rehoboam(['daemon', 'status'])
  expect(words.code).toBe(0)
  for (const fact of [`process ${status.pid}`, status.socket, String(status.port), home.home])
    expect(words.out).toContain(fact)
})

test('daemon stop ends daemon and supervisor, and says so when none ran [daemon-start]', async () => {
  await using home = await tempHome()
  await home.daemon.ready()
  const stopped = await home.rehoboam(['daemon', 'stop', '--json'])
  expect([stopped.code, stopped.err, JSON.parse(stopped.out)]).toEqual([0, '', { wasRunning: true }])
  expect(home.daemon.registration()).toBeNull()
  await until(() => home.processes().length === 0, 'everything of it to be gone')

  expect(await home.rehoboam(['daemon', 'stop'])).toMatchObject({ code: 0, out: 'no daemon was running\n' })
  expect(JSON.parse((await home.rehoboam(['daemon', 'stop', '--json'])).out)).toEqual({ wasRunning: false })
})

test('a session goes on after daemon stop and is taken back at the next start [daemon-stop-keeps-sessions]', async () => {
  await using home = await tempHome({ scenario: HANGING })
  const run = await spawnRun(home, 'Do it')
  await home.model.waitFor(() => true)
  const {
    turns: [turn],
  } = await untilRun(home, run, ({ turns: [turn] }) => turn?.pid != null, 'the start to be written down')
  const [wrapper, client] = [turn!.pid!, clientOf(turn!.pid!)]
  expect((await home.rehoboam(['daemon', 'stop'])).code).toBe(0)
  await until(() => daemonsOf(home).length + supervisorsOf(home).length === 0, 'daemon and supervisor to be gone')
  expect(sessionProcessesOf(home)).toEqual(expect.arrayContaining([wrapper, client]))

  const started = await home.rehoboam(['daemon', 'start', '--json'])
  await until(async () => (await untilStatus(home, run, 'active')).turns.length === 1, 'the run to be there')
  expect(JSON.parse(started.out).runs).toEqual({ active: 1, all: 1 })
  home.model.release('hold')
  await untilStatus(home, run, 'complete')
  expect(questions(home)).toHaveLength(1)
  expect(eventsOf(home, run, 'session-started')).toHaveLength(1)
})

test('a daemon that is started and stopped again and again over a living session makes no error of it [daemon-stop-keeps-sessions]', async () => {
  await using home = await tempHome({ scenario: HANGING })
  await keepPort(home)
  // However slowly it starts: nothing that it needs is lost with a daemon.
  const run = await spawnRun(home, 'Do it', { env: loggedInClient(home) })
  for (let n = 0; n < (PLAYS_ALL ? 4 : 2); n++) {
    await home.daemon.stop(null)
    await home.daemon.ready()
  }
  await until(() => home.model.release('hold') > 0, 'the model to be asked')
  await untilStatus(home, run, 'complete')
  const log = linesOf(home.home, 'daemon.log')
  expect(log.filter(line => !/Z (version \S+ serves|stopping: stop$|stopped$)/.test(line))).toEqual([])
})

test('daemon stop does not wait for the git of a daemon that was killed [daemon-start]', async () => {
  await using home = await tempHome()
  mkdirSync(home.home)
  const git = spawn('sleep', ['600'], { env: { ...home.env, [GIT_OF]: home.home, [GIT_BY]: '1' } })
  await home.daemon.ready()
  expect((await home.rehoboam(['daemon', 'stop'])).code).toBe(0)
  await until(() => daemonsOf(home).length === 0, 'the daemon to be gone')
  const log = linesOf(home.home, 'daemon.log').join('\n')
  expect([log, git.exitCode]).toEqual([expect.not.stringContaining(`process ${git.pid}`), null])
})

test('daemon logs shows the last lines, as many as asked for, and needs no daemon [daemon-logs]', async () => {
  await using home = await tempHome()
  const none = await home.rehoboam(['daemon', 'logs'])
  expect(none).toMatchObject({ code: 1, out: '' })
  expect(none.err).toContain('there is no log')

  await home.daemon.ready()
  await home.daemon.stop(null)
  const all = (await home.rehoboam(['daemon', 'logs'])).out.trimEnd().split('\n')
  expect(all[0]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z version \S+ serves as process \d+ on port \d+, 0 runs$/)
  expect(all.at(-1)).toMatch(/Z stopped$/)
  expect((await home.rehoboam(['daemon', 'logs', '-n', '1'])).out).toBe(`${all.at(-1)}\n`)
  expect(await home.rehoboam(['daemon', 'logs', '--lines', 'few'])).toMatchObject({ code: 2, out: '' })
  await until(() => home.processes().length === 0, 'what was stopped to be gone')
})

test('daemon logs -f goes on as lines come, until Ctrl-C [daemon-logs]', async () => {
  await using home = await tempHome()
  await home.daemon.ready()
  const following = home.start(['daemon', 'logs', '-f'])
  await until(() => following.out().includes('serves as process'), 'what was there before')
  await home.daemon.stop(null)
  await until(() => following.out().includes('Z stopped'), 'what came later')
  following.child.kill('SIGINT')
  expect(await following.ended).toMatchObject({ code: 0, err: '' })
})

test('a daemon that cannot start says why at once, and is not started again and again [daemon-cannot-start]', async () => {
  await using home = await tempHome()
  const ended = await home.rehoboam(['daemon', 'start'], { REHOBOAM_SESSIONS_MAX: 'many' })
  expect(ended).toMatchObject({ code: 1, out: '' })
  expect(ended.err).toMatch(/^rehoboam: the daemon does not start: .*many/)
  expect(home.processes()).toEqual([])
  expect((await home.rehoboam(['daemon', 'start'])).code).toBe(0)
})
