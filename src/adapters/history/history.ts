import { Worker } from 'node:worker_threads'
import type { HistoryEntry } from './history-store.ts'

/** What the thread is asked for; whatever was asked before is done before. */
export type Order =
  | { write: HistoryEntry[] }
  | { of: string | null; limit: number; ask: number }
  | { forgetBefore: number }
  | 'close'
export type Report = { log: string } | { written: number } | { ask: number; entries: HistoryEntry[] }

// Often enough that a look back is never surprised, seldom enough that a flood of hooks is few writes.
const FLUSH_EVERY_MS = 500
const FLUSH_AT = 100
// A minute of a flood on a disk that does not move; beyond that it is our memory that would be lost.
const MOST_UNWRITTEN = 60_000
const DAY_MS = 86_400_000

/**
 * The flood of tool events, written in batches, kept for so many days. The database lives in a thread of its own: a
 * write may wait for whatever else uses the disk, for a tenth of a second at times, and hooks must not wait with it.
 */
export class History {
  readonly #path: string
  readonly #keepDays: number
  readonly #log: (line: string) => void
  #thread: Worker | null = null
  #waiting: HistoryEntry[] = []
  #timer: NodeJS.Timeout | null = null
  #unwritten = 0
  #asks = new Map<number, (entries: HistoryEntry[]) => void>()
  #lastAsk = 0

  constructor(path: string, keepDays: number, log: (line: string) => void) {
    this.#path = path
    this.#keepDays = keepDays
    this.#log = log
  }

  add(entry: HistoryEntry): void {
    this.#waiting.push(entry)
    if (this.#waiting.length >= FLUSH_AT) this.#flush()
    else this.#timer ??= setTimeout(() => this.#flush(), FLUSH_EVERY_MS)
  }

  /** The last ones of a session, or of all (null), oldest first; all that were added are among them. */
  of(session: string | null, limit: number): Promise<HistoryEntry[]> {
    this.#flush()
    const ask = ++this.#lastAsk
    return new Promise(resolve => {
      this.#asks.set(ask, resolve)
      this.#order({ of: session, limit, ask })
    })
  }

  /** Everything older than the retention goes. */
  forgetOld(now: number): void {
    this.#order({ forgetBefore: now - this.#keepDays * DAY_MS })
  }

  async close(): Promise<void> {
    this.#flush()
    const thread = this.#thread
    if (!thread) return
    const gone = new Promise(resolve => thread.once('exit', resolve))
    this.#order('close')
    await gone
  }

  #flush(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    if (this.#waiting.length === 0) return
    const batch = this.#waiting
    this.#waiting = []
    if (this.#unwritten + batch.length > MOST_UNWRITTEN) {
      this.#log(`the history is not written fast enough: ${batch.length} entries are left out`)
      return
    }
    this.#unwritten += batch.length
    this.#order({ write: batch })
  }

  #order(order: Order): void {
    this.#thread ??= this.#start()
    this.#thread.postMessage(order)
  }

  #start(): Worker {
    // Built, it lies beside us; in the sources it is not built.
    const file = import.meta.url.endsWith('.ts') ? './thread.ts' : './history-thread.mjs'
    const thread = new Worker(new URL(file, import.meta.url), { workerData: this.#path })
    thread.on('message', (report: Report) => this.#hear(report))
    thread.on('error', error => this.#log(`the history has stopped (${error.message}) and is begun anew`))
    thread.on('exit', () => this.#ended())
    return thread
  }

  #hear(report: Report): void {
    if ('log' in report) this.#log(report.log)
    else if ('written' in report) this.#unwritten -= report.written
    else {
      this.#asks.get(report.ask)?.(report.entries)
      this.#asks.delete(report.ask)
    }
  }

  /** Work goes on without a history: nobody waits for what it cannot say. */
  #ended(): void {
    this.#thread = null
    this.#unwritten = 0
    for (const answer of this.#asks.values()) answer([])
    this.#asks.clear()
  }
}
