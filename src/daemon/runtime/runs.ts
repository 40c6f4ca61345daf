import { readdir } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { RehoboamError } from '../../contract/errors.ts'
import type { RunEventOf } from '../../contract/event.ts'
import { isChild, RunId } from '../../contract/ids.ts'
import type { KeyedEffect } from '../../core/effect.ts'
import type { Clock } from '../../ports.ts'
import type { Posting, Run } from './live-run.ts'
import { newRun, type OpenOptions, openRun } from './open-run.ts'
import { SessionIndex } from './session-index.ts'

type Perform = (run: Run, effect: KeyedEffect) => Promise<void>

// A full disk is mended by a person, so trying often would not help; giving up would leave a run hanging for ever.
const FIRST_RETRY_MS = 200
const LAST_RETRY_MS = 10_000

/** All runs of this state directory. The list of their folder is the only index on the disk. */
export class Runs {
  readonly #options: OpenOptions
  readonly #clock: Clock
  readonly #log: (line: string) => void
  readonly #runs = new Map<string, Run>()
  readonly #sessions = new SessionIndex()
  /** Runs whose directory could not be read, with why. They are shown, and nothing is done about them. */
  readonly unreadable = new Map<string, string>()
  #perform: Perform | null = null
  /** Effects of runs that were made before anything may be performed. */
  readonly #early: { run: Run; effect: KeyedEffect }[] = []
  #stopped = false
  #seen: ((run: Run) => void) | null = null

  constructor(options: Omit<OpenOptions, 'perform'>, log: (line: string) => void) {
    this.#clock = options.clock
    this.#log = log
    const perform = (effect: KeyedEffect, run: Run) => {
      if (this.#perform) void this.#do(run, effect)
      else this.#early.push({ run, effect })
    }
    this.#options = { ...options, perform }
  }

  /** Replays every run without performing anything. */
  async load(): Promise<void> {
    await this.#options.disk.makeDirectory(this.#options.runs)
    const names = await readdir(this.#options.runs)
    for (const id of names.filter(name => RunId.safeParse(name).success)) {
      try {
        const { run, repaired } = await openRun(id, this.#options)
        if (run) this.#add(id, run)
        if (repaired) await this.#say(id, run, repaired)
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
    for (const { run, effect } of this.#early) if (!this.#runs.has(run.id)) void this.#do(run, effect)
  }

  /** Calls back with every run now, and again after each event of it; also for those that are made later. */
  watch(seen: (run: Run) => void): void {
    this.#seen = seen
    for (const run of this.#runs.values()) this.#attach(run)
  }

  async create(id: string, first: Posting): Promise<Run> {
    const run = await newRun(id, this.#options)
    try {
      await run.post(first)
    } catch (error) {
      await run.close()
      throw error
    }
    this.#add(id, run)
    this.#attach(run)
    return run
  }

  /** Also true for what cannot be read: an id is never used twice. */
  has(id: string): boolean {
    return this.#runs.has(id) || this.unreadable.has(id)
  }

  get(id: string): Run | null {
    return this.#runs.get(id) ?? null
  }

  all(): Run[] {
    return [...this.#runs.values()]
  }

  /** Returns the run that works with this session now, or worked with it last. */
  findBySession(session: string): Run | null {
    return this.#sessions.find(session)
  }

  /** By id, or by a beginning of it that fits one run only. */
  find(text: string): Run {
    const exact = this.#runs.get(text)
    if (exact) return exact
    // A child is meant only by whoever types its dot.
    const fitting = /^[a-z0-9]{1,8}(\.[\w-]{0,64})?$/.test(text)
      ? this.all().filter(({ id }) => id.startsWith(text) && isChild(id) === text.includes('.'))
      : []
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
        await delay(waitMs, undefined, { ref: false })
      }
    }
  }

  async close(): Promise<void> {
    this.#stopped = true
    await Promise.all(this.all().map(run => run.close()))
  }

  #add(id: string, run: Run): void {
    this.#runs.set(id, run)
    this.#sessions.add(run)
  }

  #attach(run: Run): void {
    if (!this.#seen) return
    run.listen(() => this.#seen?.(run))
    this.#seen(run)
  }

  /** A repaired journal: in the log, in the journal itself, and in a snapshot, so that it is not found again. */
  async #say(id: string, run: Run | null, repaired: RunEventOf<'journal-repaired'>): Promise<void> {
    this.#log(`run ${id}: ${repaired.reason}; ${repaired.bytes} bytes set aside as ${repaired.aside}`)
    try {
      await run?.post(repaired)
    } catch (error) {
      this.#log(`run ${id}: ${(error as Error).message}`)
    }
    await run?.saveSnapshot()
  }

  /** An effect that fails is tried again until its outcome is known: doing it twice finds what the first time made. */
  async #do(run: Run, { key, effect }: KeyedEffect): Promise<void> {
    for (let waitMs = FIRST_RETRY_MS; !this.#stopped; waitMs = Math.min(waitMs * 2, LAST_RETRY_MS)) {
      try {
        if (effect.do === 'set-timer') return this.#arm(run, key, effect)
        return await this.#perform?.(run, { key, effect })
      } catch (error) {
        if (this.#stopped || (error as Error).name === 'AbortError') return
        this.#log(`run ${run.id}: ${effect.do} (${key}) failed: ${(error as Error).stack ?? error}`)
        await delay(waitMs, undefined, { ref: false })
        if (!(key in run.record.pending)) return
      }
    }
  }

  #arm(run: Run, key: string, effect: Extract<KeyedEffect['effect'], { do: 'set-timer' }>): void {
    this.#clock.at(effect.atMs, () => {
      if (this.#stopped) return
      void this.postSurely(run, { type: 'timer-fired', effect: key, timer: effect.name }).catch(() => {})
    })
  }
}
