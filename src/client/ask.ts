import type { ChildProcess } from 'node:child_process'
import { existsSync, openSync, readFileSync, statSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { DaemonStatus } from '../contract/api.ts'
import { RehoboamError } from '../contract/errors.ts'
import { homeOf, socketOf } from '../contract/home.ts'
import { PEER_HEADER } from '../contract/peer-header.ts'
import { DAEMON_EXIT, type Registration, registrationIn, STOPPED_MARK } from '../contract/registration.ts'
import { compareVersions } from '../contract/version.ts'
import { type Ask, errorIn, mayAskAgain, notAnswered } from './failure.ts'
import { requestSocket, textOf } from './socket.ts'
import { type Program, startDaemon } from './start-daemon.ts'
import { supervisorsOf } from './supervisor.ts'

// A cold start takes under half a second; a laptop that just woke up, or ten commands at once on a busy machine, need much
// longer. Too short refuses what was about to work; too long costs nothing: one that cannot start has ended, and is said at once.
const START_WITHIN_MS = 60_000
const LOOK_EVERY_MS = 25
const LOOK_SELDOM_MS = 250
const ANSWER_WITHIN_MS = 30_000

// For those who follow: a supervisor waits at most 7 s before it starts the daemon again, and a newer command that
// replaces the daemon needs about half a second. Too short starts one more: it mostly steps down, but its supervisor
// may win and count the deaths from the beginning.
const SUPERVISED_AGAIN_WITHIN_MS = 7_000 + START_WITHIN_MS
const REPLACED_WITHIN_MS = 700

/** The daemon as its commands see it: ask it, and when nobody is there, start it first. */
export class Daemon {
  readonly home: string
  readonly socket: string
  readonly #env: Record<string, string | undefined>
  readonly #program: Program
  readonly #since = Date.now()
  #fits = false
  #proof: string | null = null

  constructor(env: Record<string, string | undefined>, program: Program) {
    this.#env = env
    this.#program = program
    // The daemon runs elsewhere: a relative path would name another directory there.
    this.home = resolve(homeOf(env))
    this.socket = socketOf(this.home, env, process.getuid?.() ?? 0)
  }

  /** Asks until there is an answer, as long as asking again cannot do a thing twice. */
  async ask<T>(ask: Ask): Promise<T> {
    const deadline = performance.now() + START_WITHIN_MS
    for (;;) {
      await this.ready()
      try {
        return await this.askRunning(ask)
      } catch (error) {
        if (performance.now() > deadline || !mayAskAgain(error, ask)) throw error
      }
      await delay(LOOK_EVERY_MS)
    }
  }

  /** Asks for something that only a person may decide: the daemon sees which process holds its file open. */
  async decide<T>(ask: Ask): Promise<T> {
    for (let again = true; ; again = false) {
      this.#proof ??= await this.#introduce()
      try {
        return await this.ask<T>({ ...ask, headers: { [PEER_HEADER]: this.#proof } })
      } catch (error) {
        // A daemon that has been replaced does not know us.
        if (!again || (error as RehoboamError).code !== 'peer-unproven') throw error
        this.#proof = null
      }
    }
  }

  /** The file stays open for as long as this process lives: that is the proof. */
  async #introduce(): Promise<string> {
    const { key, path } = await this.ask<{ key: string; path: string }>({ method: 'POST', path: '/v1/peer', body: {} })
    openSync(path, 'r')
    return `${process.pid} ${key}`
  }

  /** Asks without starting anything; fails with `daemon-down` when nobody serves. */
  async askRunning<T>({ method = 'GET', path, body, headers }: Ask): Promise<T> {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
    const answer = await this.#request({ method, path, body, signal, ...(headers && { headers }) })
    const text = await textOf(answer).catch(error => {
      throw notAnswered(error, this.home)
    })
    if (answer.statusCode && answer.statusCode < 400) return JSON.parse(text) as T
    throw errorIn(text)
  }

  /** A stream of server-sent events, from a daemon that runs. */
  async open(path: string, signal: AbortSignal) {
    const answer = await this.#request({ method: 'GET', path, signal })
    if (answer.statusCode && answer.statusCode < 400) return answer
    throw errorIn(await textOf(answer))
  }

  /** A daemon of this version or newer serves when this returns. */
  async ready(): Promise<void> {
    const deadline = performance.now() + START_WITHIN_MS
    let starting: ChildProcess | null = null
    for (;;) {
      const serving = await this.#status()
      if (serving && (await this.#isWanted(serving))) return
      if (!serving && (!starting || this.#hasEnded(starting))) {
        starting = startDaemon(this.home, this.#env, this.#program)
      }
      if (performance.now() > deadline) throw this.#doesNotStart()
      await delay(LOOK_EVERY_MS)
    }
  }

  /**
   * For those who follow: a daemon serves when this returns. Whoever is about to start it again is given the time for
   * that, its supervisor or a newer command; when both are gone, it is started here. One that was told to stop, or that
   * its supervisor gave up, stays away: `meanwhile` then says what goes on, and how to look again.
   */
  async comesBack(signal: AbortSignal, meanwhile: string): Promise<void> {
    const from = performance.now()
    while (!signal.aborted && !(await this.#status())) {
      if (existsSync(join(this.home, STOPPED_MARK))) {
        throw new RehoboamError('daemon-stopped', `the daemon was stopped; ${meanwhile}`)
      }
      const waitedMs = performance.now() - from
      const mayBeReplaced = waitedMs < REPLACED_WITHIN_MS
      const isAlone = !mayBeReplaced && supervisorsOf(this.home).length === 0
      if (isAlone && this.#isGivenUp()) {
        const sentence = `the daemon died again and again, and its supervisor gave up (${join(this.home, 'daemon.log')} says more)`
        throw new RehoboamError('daemon-given-up', `${sentence}; ${meanwhile}`)
      }
      if (isAlone || waitedMs > SUPERVISED_AGAIN_WITHIN_MS) return this.ready()
      await delay(mayBeReplaced ? LOOK_EVERY_MS : LOOK_SELDOM_MS)
    }
  }

  /** An older notice is about deaths that somebody has seen since, and started it again. */
  #isGivenUp(): boolean {
    return (statSync(join(this.home, 'notice'), { throwIfNoEntry: false })?.mtimeMs ?? 0) > this.#since
  }

  registration(): Registration | null {
    try {
      return registrationIn(JSON.parse(readFileSync(join(this.home, 'daemon.json'), 'utf8')))
    } catch {
      return null
    }
  }

  /** Asks the daemon to end, and waits until it has. Sessions go on. */
  async stop(version: string | null): Promise<void> {
    const serving = this.registration()
    await this.askRunning({ method: 'POST', path: '/v1/stop', body: { version } }).catch(error => {
      // Somebody else asked too, and it went before it answered us.
      if (error.code !== 'daemon-lost') throw error
    })
    const deadline = performance.now() + START_WITHIN_MS
    while ((await this.#status())?.id === serving?.id || isRegistered(serving, this.registration())) {
      if (performance.now() > deadline) throw new RehoboamError('daemon-stuck', 'the daemon does not stop')
      await delay(LOOK_EVERY_MS)
    }
  }

  /** True for this version and, once one has fitted, for whatever replaced it. An older one is asked to go. */
  async #isWanted(serving: DaemonStatus): Promise<boolean> {
    const order = this.#fits ? 0 : compareVersions(this.#program.version, serving.version)
    if (order < 0) {
      const sentence = `the daemon has version ${serving.version}, this command ${this.#program.version}; use the newer command, or rehoboam daemon stop first`
      throw new RehoboamError('command-old', sentence)
    }
    if (order > 0) await this.stop(this.#program.version).catch(() => {})
    this.#fits = order === 0
    return this.#fits
  }

  /** One that stepped down did so before a daemon that was about to end: the next may find its place free. */
  #hasEnded(starting: ChildProcess): boolean {
    if (starting.exitCode === null) return starting.signalCode !== null
    const { stopped, steppedDown } = DAEMON_EXIT
    if (starting.exitCode === stopped || starting.exitCode === steppedDown) return true
    throw this.#doesNotStart()
  }

  #doesNotStart(): RehoboamError {
    const log = join(this.home, 'daemon.log')
    const last = lastLine(log)
    return new RehoboamError('daemon-down', `the daemon does not start${last && `: ${last}`}; ${log} says more`)
  }

  async #status(): Promise<DaemonStatus | null> {
    try {
      return await this.askRunning<DaemonStatus>({ path: '/v1/status' })
    } catch (error) {
      if ((error as RehoboamError).code === 'daemon-stuck') throw error
      return null
    }
  }

  async #request(options: Parameters<typeof requestSocket>[1]): Promise<IncomingMessage> {
    try {
      return await requestSocket(this.socket, options)
    } catch (error) {
      throw notAnswered(error as NodeJS.ErrnoException, this.home)
    }
  }
}

function isRegistered(before: Registration | null, now: Registration | null): boolean {
  if (!before || before.id !== now?.id) return false
  try {
    process.kill(before.pid, 0)
    return true
  } catch {
    return false
  }
}

function lastLine(path: string): string {
  try {
    const line = readFileSync(path, 'utf8').trimEnd().split('\n').at(-1) ?? ''
    return line
      .replace(/^rehoboam: /, '')
      .replace(/\p{Cc}/gu, ' ')
      .slice(0, 1000)
  } catch {
    return ''
  }
}
