import { expect, test } from 'vitest'
import { untilStatus } from '../session/runs.ts'
import { tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { followed, HANGING, nobodyServes } from './followed.ts'

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
