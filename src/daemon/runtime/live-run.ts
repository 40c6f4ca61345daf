import { RehoboamError } from '../../contract/errors.ts'
import type { RunEvent, Stamped } from '../../contract/event.ts'
import type { KeyedEffect } from '../../core/effect.ts'
import { advance, isStale, type RunRecord } from '../../core/run/advance.ts'
import type { Clock, Journal } from '../../ports.ts'

/** An event, or how to make one from the state that it will meet: null when there is nothing to say, or refused by throwing. */
export type Posting = RunEvent | ((record: RunRecord) => RunEvent | null)

type Waiting = { posting: Posting; resolve: (event: Stamped | null) => void; reject: (error: unknown) => void }

// The newest events stay in memory for those who follow; older ones are read from the file.
const RECENT_KEPT = 512

/**
 * One run with its mailbox: events come in one order, are written down, and only then is anything done about them.
 * Deciding is pure, so it may happen before the write: nothing of it is seen until the write has succeeded.
 */
export class Run {
  readonly id: string
  readonly #journal: Journal
  readonly #clock: Clock
  readonly #snapshotEvery: number
  readonly #perform: (effect: KeyedEffect, run: Run) => void
  readonly #listeners = new Set<() => void>()
  #record: RunRecord | null
  #recent: Stamped[]
  #mailbox: Waiting[] = []
  #draining: Promise<void> | null = null
  #snapshotAt: number
  #closed = false

  constructor(options: {
    id: string
    journal: Journal
    clock: Clock
    snapshotEvery: number
    record: RunRecord | null
    recent: Stamped[]
    snapshotSeq: number
    perform: (effect: KeyedEffect, run: Run) => void
  }) {
    this.id = options.id
    this.#journal = options.journal
    this.#clock = options.clock
    this.#snapshotEvery = options.snapshotEvery
    this.#record = options.record
    this.#recent = options.recent.slice(-RECENT_KEPT)
    this.#snapshotAt = options.snapshotSeq
    this.#perform = options.perform
  }

  get record(): RunRecord {
    if (!this.#record) throw new Error(`run ${this.id} has no event yet`)
    return this.#record
  }

  /** Resolves when the event is on the disk; with null when it said nothing new. */
  post(posting: Posting): Promise<Stamped | null> {
    if (this.#closed) return Promise.reject(new RehoboamError('daemon-stopping', 'the daemon is stopping; try again'))
    return new Promise((resolve, reject) => {
      this.#mailbox.push({ posting, resolve, reject })
      this.#draining ??= this.#drain()
    })
  }

  /** Calls back after every event, until the returned function is called. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async eventsAfter(seq: number): Promise<Stamped[]> {
    const first = this.#recent[0]
    if (first && first.seq <= seq + 1) return this.#recent.slice(seq + 1 - first.seq)
    return this.#journal.read(seq)
  }

  /** Everything that was posted is written; nothing is taken any more. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#draining
    if (this.#record && this.#snapshotAt !== this.#record.seq) await this.saveSnapshot()
    await this.#journal.close()
  }

  /** It only saves time at the next start, so it may fail. */
  async saveSnapshot(): Promise<void> {
    const { record } = this
    try {
      await this.#journal.saveSnapshot(record)
      this.#snapshotAt = record.seq
    } catch {
      // A full disk; the next one is tried after the next event.
    }
  }

  async #drain(): Promise<void> {
    // In the next tick, so that what is posted together is written together.
    await null
    while (this.#mailbox.length > 0) await this.#take(this.#mailbox.splice(0))
    this.#draining = null
  }

  async #take(batch: Waiting[]): Promise<void> {
    let record = this.#record
    const taken: { waiting: Waiting; event: Stamped; effects: KeyedEffect[] }[] = []
    for (const waiting of batch) {
      try {
        const event = this.#stamp(waiting.posting, record)
        if (!event) {
          waiting.resolve(null)
          continue
        }
        const next = advance(record, event)
        record = next.record
        taken.push({ waiting, event, effects: next.effects })
      } catch (error) {
        waiting.reject(error)
      }
    }
    if (taken.length === 0) return
    const events = taken.map(({ event }) => event)
    try {
      await this.#journal.append(events, this.#record?.seq ?? 0)
    } catch (error) {
      for (const { waiting } of taken) waiting.reject(error)
      return
    }
    this.#record = record
    this.#recent = [...this.#recent, ...events].slice(-RECENT_KEPT)
    for (const listener of [...this.#listeners]) listener()
    for (const { waiting, event, effects } of taken) {
      waiting.resolve(event)
      for (const effect of effects) this.#perform(effect, this)
    }
    if (this.#needsSnapshot()) await this.saveSnapshot()
  }

  #stamp(posting: Posting, record: RunRecord | null): Stamped | null {
    const event = typeof posting === 'function' ? posting(record ?? this.record) : posting
    if (!event || (record && isStale(record, event))) return null
    // A clock that was set back must not make a journal's times run backwards.
    return { ...event, seq: (record?.seq ?? 0) + 1, at: Math.max(this.#clock.now(), record?.at ?? 0) }
  }

  #needsSnapshot(): boolean {
    const { seq, state } = this.record
    return seq - this.#snapshotAt >= this.#snapshotEvery || (state.endedAt !== null && seq !== this.#snapshotAt)
  }
}
