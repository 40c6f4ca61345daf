import { readdir } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { RehoboamError } from '../../contract/errors.ts'
import { RunId } from '../../contract/ids.ts'
import type { KeyedEffect } from '../../core/effect.ts'
import type { Clock } from '../../ports.ts'
import { newRun, type OpenOptions, openRun } from './open-run.ts'
import type { Posting, Run } from './run.ts'

type Perform = (run: Run, effect: KeyedEffect) => Promise<void>

// A full disk is mended by a person, so trying often would not help; a lost outcome would.
const FIRST_RETRY_MS = 200
const LAST_RETRY_MS = 10_000

/** All runs of this state directory. Listing their folder is the index; there is no other. */
export class Runs {
  readonly #options: OpenOptions
  readonly #clock: Clock
  readonly #log: (line: string) => void
  readonly #runs = new Map<string, Run>()
  /** Runs whose directory could not be read, with why. They are shown, and nothing is done about them. */
  readonly unreadable = new Map<string, string>()
  #perform: Perform = () => Promise.resolve()
  #stopped = false

  constructor(options: Omit<OpenOptions, 'perform'>, log: (line: string) => void) {
    this.#clock = options.clock
    this.#log = log
    this.#options = { ...options, perform: (effect, run) => void this.#do(run, effect) }
  }

  /** Replays every run without performing anything. */
  async load(): Promise<void> {
    await this.#options.disk.makeDirectory(this.#options.runs)
    const names = await readdir(this.#options.runs)
    for (const id of names.filter(name => RunId.safeParse(name).success)) {
      try {
        const opened = await openRun(id, this.#options)
        if (opened) this.#runs.set(id, opened.run)
        if (opened?.said) this.#log(opened.said)
      } catch (error) {
        this.unreadable.set(id, (error as Error).message)
        this.#log(`run ${id} cannot be read: ${(error as Error).message}`)
      }
    }
  }

  /** From here on effects are performed, beginning with those whose outcome was never written down. */
  recover(perform: Perform): void {
    this.#perform = perform
    for (const run of this.#runs.values()) {
      for (const [key, effect] of Object.entries(run.record.pending)) void this.#do(run, { key, effect })
    }
  }

  async create(id: string, first: Posting): Promise<Run> {
    const run = await newRun(id, this.#options)
    await run.post(first)
    this.#runs.set(id, run)
    return run
  }

  /** Also true for what cannot be read: an id is never used twice. */
  has(id: string): boolean {
    return this.#runs.has(id) || this.unreadable.has(id)
  }

  all(): Run[] {
    return [...this.#runs.values()]
  }

  /** By id, or by a beginning of it that fits one run only. */
  find(text: string): Run {
    const exact = this.#runs.get(text)
    if (exact) return exact
    const fitting = /^[a-z0-9]{1,8}$/.test(text) ? this.all().filter(run => run.id.startsWith(text)) : []
    if (fitting.length === 1) return fitting[0]!
    if (fitting.length > 1) {
      const ids = fitting.map(run => run.id).join(', ')
      throw new RehoboamError('run-ambiguous', `"${text}" fits several runs: ${ids}; type more of the id`)
    }
    const why = this.unreadable.get(text)
    if (why) throw new RehoboamError('run-unreadable', `run ${text} cannot be read: ${why}`)
    throw new RehoboamError('run-unknown', `there is no run "${text}"; rehoboam runs lists them`)
  }

  /** Posts an outcome until it is written down. */
  async postSurely(run: Run, posting: Posting): Promise<void> {
    for (let waitMs = FIRST_RETRY_MS; !this.#stopped; waitMs = Math.min(waitMs * 2, LAST_RETRY_MS)) {
      try {
        await run.post(posting)
        return
      } catch (error) {
        if (!(error instanceof RehoboamError) || error.code !== 'journal-write') throw error
        this.#log(`run ${run.id}: ${error.message}`)
        await delay(waitMs)
      }
    }
  }

  async close(): Promise<void> {
    this.#stopped = true
    await Promise.all(this.all().map(run => run.close()))
  }

  async #do(run: Run, { key, effect }: KeyedEffect): Promise<void> {
    try {
      if (effect.do === 'set-timer') this.#arm(run, key, effect)
      else await this.#perform(run, { key, effect })
    } catch (error) {
      if (!this.#stopped) this.#log(`run ${run.id}: ${effect.do} (${key}) failed: ${(error as Error).stack ?? error}`)
    }
  }

  #arm(run: Run, key: string, effect: Extract<KeyedEffect['effect'], { do: 'set-timer' }>): void {
    this.#clock.at(effect.atMs, () => {
      if (this.#stopped) return
      void this.postSurely(run, { type: 'timer-fired', effect: key, timer: effect.name }).catch(() => {})
    })
  }
}
