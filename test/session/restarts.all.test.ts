import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bash, say, turns } from '../../src/rehearsal/replies.ts'
import { clientOf, killDaemon } from '../daemon/processes.ts'
import { kill, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { eventsOf, loggedInClient, spawnRun, untilRun, untilStatus } from './runs.ts'
import { started, waitingClient } from './waiting-client.ts'

const HANGING = turns({}, say('Done.', { fault: { kind: 'hang' } }))
const CUT_OFF = [
  ...turns({ attempt: 1 }, bash('echo once >> done'), say('Never heard.', { fault: { kind: 'hang' } })),
  { reply: say('I remember.') },
]

test('a session that is cut off is resumed also when the daemon is killed while it waits to do so [session-crash-resumed]', async () => {
  await using home = await tempHome({ scenario: CUT_OFF })
  const run = await spawnRun(home, 'Do it', { env: loggedInClient(home) })
  await home.model.waitFor(({ turn }) => turn === 1)
  const { turns: all } = await untilRun(home, run, ({ turns: [turn] }) => turn?.pid != null, 'the start')
  kill(clientOf(all[0]!.pid!))
  await until(() => eventsOf(home, run, 'session-ended').length, 'the cut to be written down')
  await killDaemon(home)
  expect(await untilStatus(home, run, 'complete')).toMatchObject({ result: 'I remember.' })
  expect(eventsOf(home, run, 'session-started')).toHaveLength(2)
})

test('a time limit holds across a restart of the daemon [session-max-time]', async () => {
  await using home = await tempHome({ scenario: HANGING })
  // However slowly it starts: nothing that it needs is lost with the daemon.
  const run = await spawnRun(home, 'Do it', { flags: { maxTime: '2s' }, env: loggedInClient(home) })
  await killDaemon(home)
  const { startedAt, endedAt } = await untilStatus(home, run, 'over-budget')
  expect(Date.parse(endedAt!) - Date.parse(startedAt)).toBeGreaterThanOrEqual(2000)
})

test('a session that runs on through a restart needs nothing again [session-needs-environment]', async () => {
  await using home = await tempHome({ scenario: turns({}, say('', { fault: { kind: 'hang' } })) })
  const run = await spawnRun(home, 'Do it', { env: { MY_OWN: 'x' } })
  await home.model.waitFor(() => true)
  await killDaemon(home)
  home.model.release()
  expect(await untilStatus(home, run, 'complete', 'paused')).toMatchObject({ status: 'complete', notes: [] })
})

test('after a restart those who run keep their places and those who wait still go by age [sessions-max]', async () => {
  await using home = await tempHome()
  Object.assign(home.env, { REHOBOAM_SESSIONS_MAX: '2', REHOBOAM_SESSIONS_STARTS_PER_SECOND: '50' })
  const env = { REHOBOAM_CLAUDE: waitingClient(home), ANTHROPIC_API_KEY: undefined }
  const runs: string[] = []
  for (let n = 1; n <= 6; n++) runs.push(await spawnRun(home, `Run ${n}`, { env }))
  await until(() => started(home).length === 2, 'two to run')
  for (const [n, run] of runs.entries()) {
    if (n < 3) await killDaemon(home)
    expect(started(home).toSorted()).toEqual(runs.slice(0, n + 2).toSorted())
    writeFileSync(join(home.project, `${run}.go`), '')
    await untilStatus(home, run, 'complete')
    await until(() => started(home).length === Math.min(6, n + 3), 'the next to start')
  }
})
