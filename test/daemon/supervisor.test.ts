import { spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { endSupervisor } from '../../src/client/supervisor.ts'
import { STOPPED_MARK } from '../../src/contract/registration.ts'
import { linesOf } from '../session/runs.ts'
import { kill, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { keepPort } from './kept-port.ts'
import { daemonsOf, isRunning, killDaemon, supervisorsOf } from './processes.ts'

describe.concurrent('the supervisor', () => {
  test('is ended by daemon stop also while it waits to start the daemon again [daemon-start]', async () => {
    await using home = await tempHome()
    await home.daemon.ready()
    // After the first death it does not wait, after the second it does.
    const second = await killDaemon(home)
    kill(second)
    await until(() => !isRunning(second), 'the daemon to be gone')
    expect(supervisorsOf(home)).toHaveLength(1)

    expect(await home.rehoboam(['daemon', 'stop'])).toMatchObject({ code: 0, err: '' })
    await until(() => home.processes().length === 0, 'everything to be gone')
  })

  test('is ended by daemon stop with the daemon that it is just starting [daemon-start]', async () => {
    await using home = await tempHome()
    await home.daemon.ready()
    const before = home.daemonPid()!
    kill(before)
    await until(() => daemonsOf(home).some(pid => pid !== before), 'the next one to be on its way')
    expect(await home.rehoboam(['daemon', 'stop'])).toMatchObject({ code: 0, err: '' })
    await until(() => home.processes().length === 0, 'everything to be gone')
  })

  test('is ended by daemon stop, which leaves its mark also when a daemon that was just starting has removed it [daemon-start]', async () => {
    await using home = await tempHome()
    mkdirSync(home.home)
    const mark = join(home.home, STOPPED_MARK)
    // Does what a daemon does that is just starting.
    const script = `trap "rm '${mark}'; exit" TERM; echo > "$1/up"; while :; do sleep 0.05; done`
    spawn('sh', ['-c', script, 'rehoboam-supervisor', home.home, ''], { detached: true, stdio: 'ignore' })
    await until(() => existsSync(join(home.home, 'up')), 'it to be there')
    await endSupervisor(home.home)
    expect([supervisorsOf(home), existsSync(mark)]).toEqual([[], true])
  })

  test('lets a daemon that is asked by TERM to end, as at a shutdown, end in order and for good [daemon-supervised]', async () => {
    await using home = await tempHome()
    await home.daemon.ready()
    kill(home.daemonPid()!, 'SIGTERM')
    await until(() => home.processes().length === 0, 'everything to be gone')
    expect(home.daemon.registration()).toBeNull()
    expect(linesOf(home.home, 'daemon.log').slice(-2).join('\n')).toMatch(/stopping: SIGTERM\n.*stopped$/)
  })

  // Its waits alone are eleven seconds.
  test('starts a daemon that was killed again, on the same port, and gives up at the fifth death within ten minutes with a notice; the next command starts anew [daemon-supervised]', async () => {
    await using home = await tempHome()
    await keepPort(home)
    await home.daemon.ready()
    const before = home.daemon.registration()!
    let pid = await killDaemon(home)
    expect(pid).not.toBe(before.pid)
    expect(home.daemon.registration()).toMatchObject({ pid, port: before.port, socket: before.socket })
    expect(home.daemon.registration()!.id).not.toBe(before.id)
    expect(supervisorsOf(home)).toHaveLength(1)
    for (let deaths = 2; deaths < 5; deaths++) pid = await killDaemon(home)
    kill(pid)
    await until(() => home.processes().length === 0, 'the supervisor to give up')

    const status = await home.rehoboam(['daemon', 'status'])
    expect(status.code).toBe(1)
    expect(status.err).toMatch(/^notice: the daemon died 5 times within 10 minutes/)
    expect(await home.rehoboam(['runs'])).toMatchObject({ code: 0 })
    const [notice] = JSON.parse((await home.rehoboam(['daemon', 'status', '--json'])).out).notices
    expect(notice).toMatch(/^the daemon died 5 times/)
    // One that ends in order has lived well.
    await home.rehoboam(['daemon', 'stop'])
    expect((await home.rehoboam(['daemon', 'status'])).err).toBe('')
  })
})
