import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, openSync, writeFileSync } from 'node:fs'
import { requestSocket, textOf } from '../../../src/client/socket.ts'
import { socketOf } from '../../../src/contract/home.ts'
import { PROGRAM } from '../../support/programs.ts'
import { until } from '../../support/until.ts'
import type { Plan } from './doom.ts'
import type { World } from './world.ts'

const SPEED = 20
// A busy machine takes its time.
const ANSWER_WITHIN_MS = 180_000
const START_WITHIN_MS = 180_000

export type Answer<T> = { is: 'done'; value: T } | { is: 'refused'; code: string; sentence: string } | { is: 'lost' }

/** One daemon after the other on the same state directory. */
export class Lives {
  readonly #world: World
  readonly #program: string
  readonly #socket: string
  #child: ChildProcess | null = null
  #count = 0
  /** Ends that nobody asked for. */
  readonly surprises: string[] = []

  constructor(world: World, program: string) {
    this.#world = world
    this.#program = program
    this.#socket = socketOf(world.home, world.environment, process.getuid?.() ?? 0)
  }

  get count(): number {
    return this.#count
  }

  isAlive(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Starts the next one, and waits until it serves or is dead already. */
  async begin(doom: Pick<Plan, 'killAt' | 'phase' | 'part'>): Promise<void> {
    const { notes, copies, side, root, environment } = this.#world
    const life = ++this.#count
    const plan: Plan = { program: PROGRAM, notes, copies, speed: SPEED, ...doom }
    writeFileSync(side(`plan-${life}.json`), JSON.stringify(plan))
    const errors = openSync(side(`daemon-${life}.err`), 'a')
    const { PATH, HOME, REHOBOAM_HOME, TMUX_TMPDIR } = environment
    const env = { PATH, HOME, REHOBOAM_HOME, TMUX_TMPDIR }
    const child = spawn(process.execPath, [this.#program, side(`plan-${life}.json`)], {
      cwd: root,
      env: { ...env, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
      stdio: ['ignore', errors, errors],
    })
    this.#child = child
    child.once('exit', (code, signal) => {
      if (signal !== 'SIGKILL' && code !== 0) this.surprises.push(`daemon ${life} ended with ${code ?? signal}`)
    })
    await until(async () => !this.isAlive() || (await this.#answers()), 'a daemon to serve', START_WITHIN_MS)
  }

  async kill(): Promise<void> {
    this.#child?.kill('SIGKILL')
    await until(() => !this.isAlive(), 'the daemon to be dead')
  }

  async stop(): Promise<void> {
    this.#child?.kill('SIGTERM')
    await until(() => !this.isAlive(), 'the daemon to have stopped')
  }

  async ask<T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answer<T>> {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
    try {
      const answer = await requestSocket(this.#socket, { method, path, body, signal })
      const value = JSON.parse(await textOf(answer))
      if (answer.statusCode && answer.statusCode < 400) return { is: 'done', value: value as T }
      return { is: 'refused', code: value.error.code, sentence: value.error.sentence }
    } catch (error) {
      if ((error as Error).name === 'TimeoutError') this.surprises.push(`${method} ${path} was never answered`)
      return { is: 'lost' }
    }
  }

  note(text: string): void {
    appendFileSync(this.#world.side('story.log'), `${text}\n`)
  }

  async #answers(): Promise<boolean> {
    return (await this.ask('GET', '/v1/status')).is === 'done'
  }
}
