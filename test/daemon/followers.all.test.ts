import { join } from 'node:path'
import { expect, test } from 'vitest'
import { spawnRun } from '../session/runs.ts'
import { kill, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { followed, HANGING, nobodyServes } from './followed.ts'
import { isRunning, killDaemon } from './processes.ts'

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
