import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
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
  await until(() => existsSync(registration.socket), 'the daemon to serve')
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
    async ask<T>(method: string, path: string, body?: unknown): Promise<T> {
      return JSON.parse(await textOf(await requestSocket(registration.socket, { method, path, body })))
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await until(() => !isAlive(), 'the daemon to be gone')
      program[Symbol.dispose]()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

// Fewer requests cannot show that a tenth is the most, and a tenth of a small heap is soon there. But if each of
// the 8,000 between two measures left a kilobyte, it would be more than this.
const MOST_MORE_BYTES = 8_000_000

/** How much memory there may be at the second measure: in `test:all` what is promised, a tenth more than at the first. */
export function mostBytesAfter(first: number): number {
  return PLAYS_ALL ? first * 1.1 : first + MOST_MORE_BYTES
}

export type Measured = Awaited<ReturnType<typeof measuredDaemon>>

function read(path: string): Registration | null {
  try {
    return registrationIn(JSON.parse(readFileSync(path, 'utf8')))!
  } catch {
    return null
  }
}
