import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requestSocket, textOf } from '../../src/client/socket.ts'
import { type Registration, registrationIn } from '../../src/contract/registration.ts'
import { bundled } from '../runtime/bundled.ts'
import { PLAYS_ALL } from '../support/plays-all.ts'
import { until } from '../support/until.ts'

/** A daemon of its own, in a process whose memory can be measured. */
export async function measuredDaemon() {
  const root = mkdtempSync(join(tmpdir(), 'rehoboam-fuzz-'))
  const [home, user, project] = ['state', 'user', 'project'].map(name => join(root, name)) as [string, string, string]
  for (const path of [user, project]) mkdirSync(path)
  const program = bundled(join(import.meta.dirname, 'measured-daemon.ts'))
  const environment = { PATH: process.env.PATH ?? '', HOME: user, REHOBOAM_HOME: home }
  const child = fork(program.path, {
    env: environment,
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const isAlive = () => child.exitCode === null && child.signalCode === null
  const registration = await until(() => read(join(home, 'daemon.json')), 'the daemon to register')
  const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> =>
    JSON.parse(await textOf(await requestSocket(registration.socket, { method, path, body })))
  // The socket file is there before anybody listens on it.
  await until(() => ask('GET', '/v1/status').catch(() => null), 'the daemon to serve')
  return {
    root,
    home,
    project,
    environment,
    socket: registration.socket,
    port: registration.port,
    isAlive,
    log: () => readFileSync(join(home, 'daemon.log'), 'utf8'),
    async memory(): Promise<number> {
      child.send('memory')
      const [{ bytes }] = (await once(child, 'message')) as [{ bytes: number }]
      return bytes
    },
    ask,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await until(() => !isAlive(), 'the daemon to be gone')
      program[Symbol.dispose]()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

// A heap that has settled still moves by less than this.
const NOISE_BYTES = 2_000_000
const LEAKED_BYTES = 1_000

/**
 * How much memory there may be at the second measure, so many requests after the first: in `test:all` what is promised, a
 * tenth more. Fewer requests cannot show a tenth, so `npm test` allows a kilobyte for each.
 */
export function mostBytesAfter(first: number, requests: number): number {
  return PLAYS_ALL ? first * 1.1 : first + NOISE_BYTES + requests * LEAKED_BYTES
}

export type Measured = Awaited<ReturnType<typeof measuredDaemon>>

function read(path: string): Registration | null {
  try {
    return registrationIn(JSON.parse(readFileSync(path, 'utf8')))!
  } catch {
    return null
  }
}
