import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RunDetail } from '../../src/contract/run.ts'
import { bash, overloaded, rateLimited, say, tool, turns, use } from '../../src/rehearsal/replies.ts'
import { sessionProcessesOf } from '../daemon/processes.ts'
import { rigging } from '../daemon/rigged.ts'
import { tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { homeWithGuests } from './guest.ts'
import { linesOf, resume, show, spawnRun, untilLine, untilRun, untilStatus } from './runs.ts'

const guest = homeWithGuests({ client: 'either' })
const daemons = rigging()
const SPAWN = ['spawn', '--prompt', 'Do it', '--allowed-tools', 'Bash', '--wait']
const HANGING = turns({}, say('Done.', { fault: { kind: 'hang' } }))

test('a run that reaches its time limit is ended as over-budget, with code 4 [session-max-time]', async () => {
  await using home = await guest(HANGING)
  const ended = await home.rehoboam([...SPAWN, '--max-time', '1s'])
  expect(ended.code).toBe(4)
  expect(ended.out).toContain('over-budget: it reached its time limit')
  expect(await show(home, home.runs()[0]!)).toMatchObject({ status: 'over-budget', cause: 'max-time' })
  await until(() => sessionProcessesOf(home).length === 0, 'the session to be gone')
})

test('a run that reaches its cost limit ends as over-budget, with code 4 [session-max-cost]', async () => {
  await using home = await guest(turns({}, bash('echo one'), bash('echo two'), bash('echo three'), say('Cheap.')))
  const ended = await home.rehoboam([...SPAWN, '--max-cost', '0.001'])
  expect(ended.code).toBe(4)
  const run = await show(home, home.runs()[0]!)
  expect(run).toMatchObject({ status: 'over-budget', cause: 'max-cost' })
  expect(run.costUsd).toBeGreaterThan(0.001)
})

test('what a run has cost already counts against its limit in the next turn [session-max-cost]', async () => {
  await using home = await guest([
    ...turns({ attempt: 1 }, bash('echo one'), say('Done.')),
    ...turns({}, bash('echo two'), bash('echo three'), say('Too dear.')),
  ])
  const run = await spawnRun(home, 'Do it', { flags: { maxCostUsd: '0.003' } })
  const { costUsd } = await untilStatus(home, run, 'complete')
  expect(costUsd).toBeLessThan(0.003)

  expect((await home.rehoboam(['resume', run, 'More', '--wait'])).code).toBe(4)
  expect(await show(home, run)).toMatchObject({ status: 'over-budget', cause: 'max-cost' })
})

test('what two turns cost is counted once each [session-max-cost]', async () => {
  await using home = await guest(turns({}, say('Done.')))
  const run = await spawnRun(home, 'Do it')
  const once = (await untilStatus(home, run, 'complete')).costUsd
  await resume(home, run, 'Again')
  const isAgain = ({ status, turns: all }: RunDetail) => status === 'complete' && all.length === 2
  const { costUsd, turns: both } = await untilRun(home, run, isAgain, 'the second turn to end')
  expect(once).toBeGreaterThan(0)
  expect(costUsd).toBeCloseTo(2 * once, 9)
  expect(both.map(turn => turn.costUsd)).toEqual([once, once])
})

test('a command that an agent leaves in the background gets its grace after the result, then the run is complete [session-background-grace]', async () => {
  const server = tool('Bash', {
    command: 'echo up > up; while :; do sleep 0.1; done',
    run_in_background: true,
    description: 'a server',
  })
  await using home = await tempHome({ client: 'either', scenario: turns({}, use(server), say('It runs.')) })
  const letTimePass = await daemons.hurrying(home, 'timer-fired')
  const env = { REHOBOAM_SESSION_BACKGROUND_GRACE_SEC: '300' }
  const run = await spawnRun(home, 'Start a server', { env })
  await untilLine(home.project, 'up')
  await untilRun(
    home,
    run,
    ({ sentence }) => sentence === 'the turn has ended, background work is still running',
    'the grace',
  )
  expect(sessionProcessesOf(home).length).toBeGreaterThan(1)
  await letTimePass()
  expect(await untilStatus(home, run, 'complete')).toMatchObject({ cause: 'finished', result: 'It runs.' })
  await until(() => sessionProcessesOf(home).length === 0, 'the server to be gone')
})

test('background work that ends within its grace is not cut off, and what the agent says then counts [session-background-grace]', async () => {
  const job = tool('Bash', {
    command: 'until [ -e go ]; do sleep 0.05; done; echo late > late',
    run_in_background: true,
    description: 'a job',
  })
  await using home = await guest(turns({}, use(job), say('Waiting.'), say('It has ended.')))
  const run = await spawnRun(home, 'Start a job', { env: { REHOBOAM_SESSION_BACKGROUND_GRACE_SEC: '3600' } })
  await untilRun(home, run, ({ sentence }) => /background work/.test(sentence), 'the first result')
  writeFileSync(join(home.project, 'go'), '')
  expect(await untilStatus(home, run, 'complete')).toMatchObject({ result: 'It has ended.' })
  expect(linesOf(home.project, 'late')).toEqual(['late'])
})

test.each([
  ['a rate limit', 'limit', rateLimited()],
  ['an overloaded model', 'overloaded', overloaded()],
  ['refused credentials', 'auth', { status: 401 }],
  ['a model that is down', 'outage', { status: 500 }],
] as const)(
  '%s fails the run with the cause %s, code 1 and a sentence [session-client-missing]',
  async (_, cause, reply) => {
    await using home = await guest([{ reply }])
    const ended = await home.rehoboam(SPAWN, { CLAUDE_CODE_MAX_RETRIES: '0' })
    expect(ended.code).toBe(1)
    expect(await show(home, home.runs()[0]!)).toMatchObject({ status: 'failed', cause })
    expect(ended.out).toMatch(/^failed: .*rehoboam resume [a-z0-9]{8} tries again$/m)
  },
)
