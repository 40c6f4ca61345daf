import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say, turns } from '../../src/rehearsal/lines.ts'
import { spawnRun, untilStatus } from '../session/runs.ts'
import { kill, type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { daemonsOf, isRunning, killDaemon, supervisorsOf } from './processes.ts'

const HANGING = turns({}, say('Done.', { fault: { kind: 'hang', name: 'hold' } }))

/** A run that waits for the model, one who waits for it, and one who follows it. */
async function followed(home: TempHome) {
  const waiting = home.start(['spawn', '--prompt', 'Do it', '--wait'])
  await home.model.waitFor(() => true)
  const [run = ''] = home.runs()
  const following = home.start(['logs', '-f', run])
  for (const { out } of [waiting, following]) await until(() => out().includes('session '), 'it to follow')
  return { run, waiting, following }
}

const nobodyServes = (home: TempHome) => daemonsOf(home).length + supervisorsOf(home).length === 0

test('after daemon stop, whoever waits or follows says so and how to look again, and starts no daemon [follow-stopped]', async () => {
  await using home = await tempHome({ scenario: HANGING })
  const { run, waiting, following } = await followed(home)
  await home.daemon.ask({ method: 'POST', path: '/v1/inbox/mute', body: { forMs: 3_600_000 } })
  const inbox = home.start(['inbox', '-f'])
  const asking = home.start(['logs', '-f', run, '--json'])
  await until(() => asking.out().includes('run-created') && inbox.out().includes('muted'), 'them to follow')
  expect((await home.rehoboam(['daemon', 'stop'])).code).toBe(0)
  const sentence = `rehoboam: the daemon was stopped; run ${run} goes on, and rehoboam logs -f ${run} follows it again\n`
  for (const left of [waiting, following, asking]) {
    const { code, err } = await left.ended
    expect([code, err.endsWith(sentence)]).toEqual([1, true])
  }
  expect(await inbox.ended).toMatchObject({ code: 1, err: expect.stringContaining('the daemon was stopped') })
  await until(() => nobodyServes(home), 'daemon and supervisor to be gone')

  const again = home.start(['logs', '-f', run])
  await untilStatus(home, run, 'active')
  home.model.release('hold')
  expect(await again.ended).toMatchObject({ code: 0, err: '' })
  await untilStatus(home, run, 'complete')
})

test('one that is stopped while its supervisor waits to start it again stays away too [follow-stopped]', async () => {
  await using home = await tempHome({ scenario: HANGING })
  const { run, waiting } = await followed(home)
  // After the first death it does not wait, after the second it does.
  const second = await killDaemon(home)
  kill(second)
  await until(() => !isRunning(second), 'the daemon to be gone')
  await home.rehoboam(['daemon', 'stop'])
  expect(await waiting.ended).toMatchObject({ code: 1, err: expect.stringContaining(`run ${run} goes on`) })
  await until(() => nobodyServes(home), 'daemon and supervisor to be gone')
})

// The waits of the supervisor alone are eleven seconds.
test('whoever follows gives up with the supervisor of a daemon that keeps dying, and names its log [follow-given-up]', async () => {
  await using home = await tempHome({ scenario: HANGING })
  const { run, waiting, following } = await followed(home)
  for (let deaths = 1; deaths < 5; deaths++) await killDaemon(home)
  kill(home.daemonPid()!)
  for (const left of [waiting, following]) {
    const { code, err } = await left.ended
    expect(code).toBe(1)
    expect(err).toContain('the daemon died again and again, and its supervisor gave up')
    expect(err).toContain(join(home.home, 'daemon.log'))
    expect(err).toContain(`rehoboam logs -f ${run}`)
  }
  expect(nobodyServes(home)).toBe(true)
  expect(await spawnRun(home, 'Another')).not.toBe('')
})
