import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { linesOf } from '../session/runs.ts'
import { type TempHome, tempHome } from '../support/temp-home.ts'
import { freePort, keepPort } from './kept-port.ts'
import { killDaemon } from './processes.ts'

test('a port is chosen once and kept: it stays the same after a kill, and after a stop and a start [daemon-same-port]', async () => {
  await using home = await tempHome()
  const chosen = await startedOn(home)
  expect(keptIn(home)).toBe(chosen)
  await home.daemon.stop(null)

  const port = await keepPort(home)
  expect(await startedOn(home)).toBe(port)
  await killDaemon(home)
  expect(portOf(home)).toBe(port)
  await home.daemon.stop(null)
  expect(await startedOn(home)).toBe(port)
})

test('a port that another program took meanwhile is left to it: a new one is chosen, kept, and said in the log [daemon-same-port]', async () => {
  await using home = await tempHome()
  const port = await keepPort(home)
  const other = createServer().listen(port, '127.0.0.1')
  await once(other, 'listening')

  const chosen = await startedOn(home)
  expect(chosen).not.toBe(port)
  expect(keptIn(home)).toBe(chosen)
  const log = linesOf(home.home, 'daemon.log').join('\n')
  expect(log).toContain(`port ${port} is taken by another program, so this is port ${chosen}`)
  other.close()
})

test('a port from the configuration is used, and nothing is listened on but loopback [daemon-same-port]', async () => {
  await using home = await tempHome()
  const port = await freePort()
  home.env.REHOBOAM_DAEMON_PORT = String(port)
  expect(await startedOn(home)).toBe(port)
  // The same port on every other address is still to be had.
  const other = createServer().listen(port, '127.0.0.2')
  await once(other, 'listening')
  other.close()
})

async function startedOn(home: TempHome): Promise<number> {
  await home.daemon.ready()
  return portOf(home)
}

function portOf(home: TempHome): number {
  return home.daemon.registration()!.port
}

/** The port that the next daemon of this home asks for. */
function keptIn(home: TempHome): number {
  return Number(linesOf(home.home, 'port')[0])
}
