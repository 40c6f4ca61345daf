import { expect, test } from 'vitest'
import { bash, say, tool, turns, use } from '../../src/rehearsal/replies.ts'
import { eventsOf, eventTypes, linesOf, loggedInClient, questions, spawnRun, untilStatus } from '../session/runs.ts'
import { kill, type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { keepPort } from './kept-port.ts'
import { killDaemon, supervisorsOf, untilServes } from './processes.ts'

/** Two tools at once, then two answers that hang until somebody lets them go. */
const SCENARIO = turns(
  {},
  use(tool('Bash', { command: 'echo one >> done' }), tool('Bash', { command: 'echo two >> also' })),
  { text: 'One more.', ...bash('echo three >> done'), fault: { kind: 'hang', name: 'first' } },
  say('All done.', { fault: { kind: 'hang', name: 'second' } }),
)
const WAITED = ['spawn', '--prompt', 'Do three things', '--allowed-tools', 'Bash', '--wait']

test('the daemon is killed twice in the middle of a session, and the run ends as if nothing had happened [daemon-taken-back]', async () => {
  const quiet = await play(async () => {})
  const disturbed = await play(async home => {
    const { port } = home.daemon.registration()!
    const before = home.daemonPid()
    expect(await killDaemon(home)).not.toBe(before)
    expect(home.daemon.registration()?.port).toBe(port)
  })
  expect(disturbed).toEqual(quiet)
  expect(quiet).toMatchObject({ code: 0, err: '', starts: 1, asked: [0, 1, 2], done: ['one', 'three', 'two'] })
})

test('with its supervisor killed too, the next command starts the daemon again, which takes the session back [daemon-supervised]', async () => {
  await using home = await tempHome({ client: 'either', scenario: SCENARIO })
  const run = await spawnRun(home, 'Do three things')
  await home.model.waitFor(({ turn }) => turn === 1)
  await killBoth(home)

  const listed = await home.rehoboam(['runs', '--json'])
  expect([listed.code, JSON.parse(listed.out)[0].status]).toEqual([0, 'active'])
  release(home, 'first')
  await home.model.waitFor(({ turn }) => turn === 2)
  release(home, 'second')
  await untilStatus(home, run, 'complete')
  expect(questions(home).map(({ turn }) => turn)).toEqual([0, 1, 2])
  expect(eventsOf(home, run, 'session-started')).toHaveLength(1)
})

test('a command that waits for a run brings the daemon back by itself when its supervisor is killed too [daemon-supervised]', async () => {
  await using home = await tempHome({ scenario: SCENARIO })
  const waiting = home.start(WAITED)
  await home.model.waitFor(({ turn }) => turn === 1)
  await killBoth(home)
  await untilServes(home)
  release(home, 'first')
  await home.model.waitFor(({ turn }) => turn === 2)
  release(home, 'second')
  expect(await waiting.ended).toMatchObject({ code: 0, err: '' })
})

test('a session that ended while no daemon ran is read to its end by the next one [daemon-taken-back]', async () => {
  await using home = await tempHome({ scenario: SCENARIO })
  const run = await spawnRun(home, 'Do three things', { env: loggedInClient(home) })
  await home.model.waitFor(({ turn }) => turn === 1)
  await killBoth(home)
  release(home, 'first')
  await home.model.waitFor(({ turn }) => turn === 2)
  release(home, 'second')
  await until(() => linesOf(home.home, 'runs', run, 'turns', '1', 'exit').length, 'the session to end')

  await home.daemon.ready()
  expect(await untilStatus(home, run, 'complete')).toMatchObject({ result: 'All done.', notes: [] })
})

/**
 * The whole session with --wait, disturbed at both hanging answers; what came of it, in order, but for
 * the start: a session may say its first words before its start is written down.
 */
async function play(disturb: (home: TempHome) => Promise<void>) {
  await using home = await tempHome({ client: 'either', scenario: SCENARIO })
  await keepPort(home)
  const waiting = home.start(WAITED)
  for (const [turn, gate] of [
    [1, 'first'],
    [2, 'second'],
  ] as const) {
    await home.model.waitFor(asked => asked.turn === turn)
    await disturb(home)
    release(home, gate)
  }
  const { code, out, err } = await waiting.ended
  const [run = ''] = home.runs()
  return {
    code,
    err,
    lines: out
      .replaceAll(run, 'RUN')
      .replaceAll(home.root, 'ROOT')
      .replace(/(?:\d+ m )?\d+ m?s\b/g, 'TIME')
      .replace(/[0-9a-f-]{36}/g, 'SESSION')
      .split('\n'),
    starts: eventsOf(home, run, 'session-started').length,
    types: eventTypes(home, run).filter(type => type !== 'session-started'),
    asked: questions(home).map(({ turn }) => turn),
    done: [...linesOf(home.project, 'done'), ...linesOf(home.project, 'also')],
  }
}

function release(home: TempHome, gate: string): void {
  expect(home.model.release(gate)).toBe(1)
}

async function killBoth(home: TempHome): Promise<void> {
  const pids = [...supervisorsOf(home), home.daemonPid()!]
  for (const pid of pids) kill(pid)
  await until(() => pids.every(pid => !home.processes().includes(pid)), 'daemon and supervisor to be gone')
}
