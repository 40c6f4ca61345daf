import { expect, test } from 'vitest'
import { DAEMON_EXIT } from '../../src/contract/registration.ts'
import { PLAYS_ALL } from '../support/plays-all.ts'
import { type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { daemonsOf, supervisorsOf, untilServes } from './processes.ts'

test.each(PLAYS_ALL ? [2, 5] : [2])(
  '%i daemons started at once: one serves, the others step down [daemon-one-serves]',
  async count => {
    await using home = await tempHome()
    const started = Array.from({ length: count }, () => home.start(['daemon', 'run']))
    const serving = await untilServes(home)
    const others = started.filter(({ child }) => child.pid !== serving)
    expect(others).toHaveLength(count - 1)
    for (const { ended } of others)
      expect(await ended).toMatchObject({ code: DAEMON_EXIT.steppedDown, out: '', err: '' })
    expect(daemonsOf(home)).toEqual([serving])
    expect(home.daemonPid()).toBe(serving)
  },
)

test('a daemon that is started later steps down, and the one that serves goes on [daemon-one-serves]', async () => {
  await using home = await tempHome()
  const pid = await startedDaemon(home)
  expect((await home.rehoboam(['daemon', 'run'])).code).toBe(DAEMON_EXIT.steppedDown)
  expect([home.daemonPid(), await untilServes(home)]).toEqual([pid, pid])
})

test('several commands at once with no daemon running are all answered, by one daemon with one supervisor [daemon-one-serves]', async () => {
  await using home = await tempHome()
  const all = await Promise.all(Array.from({ length: PLAYS_ALL ? 10 : 3 }, () => home.rehoboam(['runs', '--json'])))
  for (const ended of all) expect(ended).toMatchObject({ code: 0, out: '[]\n', err: '' })
  await until(() => daemonsOf(home).length === 1 && supervisorsOf(home).length === 1, 'the others to step down')
  expect(daemonsOf(home)).toEqual([home.daemonPid()])
})

test('a command is answered while the daemon that served is just ending [daemon-one-serves]', async () => {
  await using home = await tempHome()
  await startedDaemon(home)
  const [stopped, ...asked] = await Promise.all([
    home.rehoboam(['daemon', 'stop']),
    ...Array.from({ length: PLAYS_ALL ? 4 : 2 }, () => home.rehoboam(['runs', '--json'])),
  ])
  expect(stopped).toMatchObject({ code: 0, err: '' })
  for (const ended of asked) expect(ended).toMatchObject({ code: 0, out: '[]\n', err: '' })
})

async function startedDaemon(home: TempHome): Promise<number> {
  await home.daemon.ready()
  return home.daemonPid()!
}
