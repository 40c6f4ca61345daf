import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Refusal } from '../contract/api.ts'
import { RehoboamError } from '../contract/errors.ts'
import { homeOf, socketOf } from '../contract/home.ts'
import { Registration } from '../contract/registration.ts'
import { compareVersions } from '../contract/version.ts'
import { requestSocket, textOf } from './socket.ts'
import { type Program, startDaemon } from './start-daemon.ts'

// A cold start takes under half a second; a laptop that just woke up may need much longer.
const START_WITHIN_MS = 20_000
const LOOK_EVERY_MS = 25
const ANSWER_WITHIN_MS = 30_000

export type Ask = { method?: 'GET' | 'POST'; path: string; body?: unknown }

/** The daemon as its commands see it: ask it, and when nobody is there, start it first. */
export class Daemon {
  readonly home: string
  readonly socket: string
  readonly #env: Record<string, string | undefined>
  readonly #program: Program
  #checked = false

  constructor(env: Record<string, string | undefined>, program: Program) {
    this.#env = env
    this.#program = program
    this.home = homeOf(env)
    this.socket = socketOf(this.home, env, process.getuid?.() ?? 0)
  }

  async ask<T>({ method = 'GET', path, body }: Ask): Promise<T> {
    await this.ready()
    return this.askRunning({ method, path, body })
  }

  /** Asks without starting anything; fails with `daemon-down` when nobody serves. */
  async askRunning<T>({ method = 'GET', path, body }: Ask): Promise<T> {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
    const answer = await requestSocket(this.socket, { method, path, body, signal }).catch(error => {
      throw notAnswered(error, this.home)
    })
    const text = await textOf(answer)
    if (answer.statusCode && answer.statusCode < 400) return JSON.parse(text) as T
    throw refusalOf(text)
  }

  /** A stream of server-sent events, from a running daemon. */
  async open(path: string, signal: AbortSignal) {
    await this.ready()
    const answer = await requestSocket(this.socket, { method: 'GET', path, signal }).catch(error => {
      throw notAnswered(error, this.home)
    })
    if (answer.statusCode && answer.statusCode < 400) return answer
    throw refusalOf(await textOf(answer))
  }

  /** A daemon of this version or newer serves when this returns. */
  async ready(): Promise<void> {
    if (!this.#checked) await this.#checkVersion()
    this.#checked = true
    if (await this.#answers()) return
    startDaemon(this.home, this.#env, this.#program)
    const deadline = performance.now() + START_WITHIN_MS
    while (!(await this.#answers())) {
      if (performance.now() > deadline) {
        throw new RehoboamError('daemon-down', `the daemon does not start; ${join(this.home, 'daemon.log')} says why`)
      }
      await delay(LOOK_EVERY_MS)
    }
  }

  registration(): Registration | null {
    try {
      return Registration.parse(JSON.parse(readFileSync(join(this.home, 'daemon.json'), 'utf8')))
    } catch {
      return null
    }
  }

  /** Asks the daemon to end, and waits until it has. Sessions go on. */
  async stop(version: string | null): Promise<void> {
    await this.askRunning({ method: 'POST', path: '/v1/stop', body: { version } })
    const deadline = performance.now() + START_WITHIN_MS
    while (await this.#answers()) {
      if (performance.now() > deadline) throw new RehoboamError('daemon-stuck', 'the daemon does not stop')
      await delay(LOOK_EVERY_MS)
    }
  }

  async #checkVersion(): Promise<void> {
    const serving = this.registration()
    if (!serving || !(await this.#answers())) return
    const order = compareVersions(this.#program.version, serving.version)
    if (order === 0) return
    if (order < 0) {
      const sentence = `the daemon has version ${serving.version}, this command ${this.#program.version}; use the newer command, or rehoboam daemon stop first`
      throw new RehoboamError('command-old', sentence)
    }
    await this.stop(this.#program.version)
  }

  async #answers(): Promise<boolean> {
    try {
      const answer = await requestSocket(this.socket, {
        method: 'GET',
        path: '/v1/status',
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      })
      answer.resume()
      return answer.statusCode === 200
    } catch (error) {
      if ((error as Error).name === 'TimeoutError') throw notAnswered(error as Error, this.home)
      return false
    }
  }
}

function notAnswered(error: Error, home: string): RehoboamError {
  if (error.name === 'TimeoutError') {
    return new RehoboamError('daemon-stuck', `the daemon does not answer; ${join(home, 'daemon.log')} may say why`)
  }
  return new RehoboamError('daemon-down', 'no daemon is running; rehoboam daemon start starts it')
}

function refusalOf(text: string): RehoboamError {
  try {
    const { error } = Refusal.parse(JSON.parse(text))
    return new RehoboamError(error.code, error.sentence)
  } catch {
    return new RehoboamError('daemon-answer', 'the daemon gave an answer that this command does not understand')
  }
}
