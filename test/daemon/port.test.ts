import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { type TempHome, tempHome } from '../support/temp-home.ts'
import { killDaemon } from './processes.ts'

test('the port stays the same after a kill, and after a stop and a start [daemon-same-port]', async () => {
  await using home = await tempHome()
  const port = await startedOn(home)
  await killDaemon(home)
  expect(portOf(home)).toBe(port)
  await home.rehoboam(['daemon', 'stop'])
  expect(await startedOn(home)).toBe(port)
})

test('a port that another program took meanwhile is left to it: a new one is chosen, kept, and said in the log [daemon-port-taken]', async () => {
  await using home = await tempHome()
  const port = await startedOn(home)
  await home.rehoboam(['daemon', 'stop'])
  const other = createServer().listen(port, '127.0.0.1')
  await once(other, 'listening')

  const chosen = await startedOn(home)
  expect(chosen).not.toBe(port)
  const log = (await home.rehoboam(['daemon', 'logs'])).out
  expect(log).toContain(`port ${port} is taken by another program, so this is port ${chosen}`)

  other.close()
  await home.rehoboam(['daemon', 'stop'])
  expect(await startedOn(home)).toBe(chosen)
})

test('a port from the configuration is used, and nothing is listened on but loopback [daemon-port-configured]', async () => {
  await using home = await tempHome()
  const port = await freePort()
  expect(await startedOn(home, { REHOBOAM_DAEMON_PORT: String(port) })).toBe(port)
  // The same port on every other address is still to be had.
  const other = createServer().listen(port, '127.0.0.2')
  await once(other, 'listening')
  other.close()
})

/** Below those that the system gives to whoever asks for any: nobody else on this machine is given it meanwhile. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}

async function startedOn(home: TempHome, env: Record<string, string> = {}): Promise<number> {
  expect(await home.rehoboam(['daemon', 'start'], env)).toMatchObject({ code: 0, err: '' })
  return portOf(home)
}

function portOf(home: TempHome): number {
  return home.daemon.registration()!.port
}
