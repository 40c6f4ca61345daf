import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { DaemonStatus } from '../../src/contract/api.ts'
import { say } from '../../src/rehearsal/replies.ts'
import { rigging } from '../daemon/rigged.ts'
import { type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { linesOf, questions, spawnRun, tell, untilStatus } from './runs.ts'
import { started, waitingClient } from './waiting-client.ts'

const daemons = rigging()
const LIMITS = { REHOBOAM_SESSIONS_MAX: '2', REHOBOAM_SESSIONS_STARTS_PER_SECOND: '50' }

test('of six runs at most two have a session at once, and the oldest comes first [sessions-max]', async () => {
  await using home = await tempHome({
    scenario: [{ reply: say('Done.', { fault: { kind: 'hang', name: '{{run}}' } }) }],
  })
  Object.assign(home.env, LIMITS)
  const runs = await spawned(home, 6)
  const order: string[] = []
  for (const run of runs) {
    await until(() => questions(home).length >= Math.min(runs.length, order.length + 2), 'the next to be asked')
    const asked = questions(home).map(({ line }) => line.run)
    expect(asked.toSorted()).toEqual(runs.slice(0, order.length + 2).toSorted())
    home.model.release(run)
    order.push(run)
    await untilStatus(home, run, 'complete')
  }
  expect((await home.daemon.ask<DaemonStatus>({ path: '/v1/status' })).sessions).toBe(0)
})

test('after a restart nobody starts before it is known who runs already [sessions-max]', async () => {
  await using home = await tempHome()
  Object.assign(home.env, LIMITS)
  const runs = await spawned(home, 3, { REHOBOAM_CLAUDE: waitingClient(home), ANTHROPIC_API_KEY: undefined })
  await until(() => started(home).length === 2, 'two to run')
  await home.daemon.stop(null)
  const { pid } = await daemons.start(home, 'look-slow', '300')
  const status = () => home.daemon.askRunning<DaemonStatus>({ path: '/v1/status' })
  await until(async () => (await status()).sessions >= 2, 'both to be counted')
  expect([await status(), started(home).toSorted()]).toMatchObject([{ pid, sessions: 2 }, runs.slice(0, 2).toSorted()])
})

test('a start that fails, on a full disk, is tried again and holds no place meanwhile [sessions-max]', async () => {
  await using home = await tempHome({ scenario: [{ reply: say('Done.') }] })
  const mended = join(home.root, 'mended')
  await daemons.start(home, 'start-failing', mended, LIMITS)
  const runs = await spawned(home, 3)
  await until(() => linesOf(home.home, 'daemon.log').filter(line => line.includes('ENOSPC')).length > 4, 'some tries')
  writeFileSync(mended, '')
  for (const run of runs) await untilStatus(home, run, 'complete')
  expect(
    questions(home)
      .map(({ line }) => line.run)
      .sort(),
  ).toEqual(runs.sort())
})

test('a run that was told something goes before younger ones that wait: none is starved [sessions-max]', async () => {
  await using home = await tempHome({
    scenario: [{ reply: say('Done.', { fault: { kind: 'hang', name: '{{run}}' } }) }],
  })
  Object.assign(home.env, { ...LIMITS, REHOBOAM_SESSIONS_MAX: '1' })
  const [first, second] = (await spawned(home, 3)) as [string, string]
  await until(() => questions(home).length === 1, 'the first to be asked')
  await tell(home, first, 'More')
  home.model.release(first)
  await until(() => questions(home).length === 2, 'the next to be asked')
  home.model.release(first)
  await until(() => questions(home).length === 3, 'the one after it to be asked')
  expect(questions(home).map(({ line }) => [line.run, line.attempt])).toEqual([
    [first, '1'],
    [first, '2'],
    [second, '1'],
  ])
})

/** One after the other, so that their ages differ. */
async function spawned(home: TempHome, count: number, env: Record<string, string | undefined> = {}): Promise<string[]> {
  const runs: string[] = []
  for (let n = 1; n <= count; n++) runs.push(await spawnRun(home, `Run ${n}`, { env }))
  return runs
}
