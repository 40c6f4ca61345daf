import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { TempHome } from '../support/temp-home.ts'

/**
 * Makes a home whose daemon had this port before, and returns the port. One that the daemon chooses itself is the system's to
 * give to any other program while no daemon runs.
 */
export async function keepPort(home: TempHome): Promise<number> {
  const port = await freePort()
  mkdirSync(home.home, { recursive: true, mode: 0o700 })
  writeFileSync(join(home.home, 'port'), `${port}\n`)
  return port
}

/** Returns a free port below those that the system gives to programs that ask for any. */
export async function freePort(): Promise<number> {
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
