import { setTimeout as delay } from 'node:timers/promises'
import type { Run } from './live-run.ts'

// While a run works its events come in handfuls, each in the way of what it starts next; who reads the files sees no
// difference. When it rests or has ended, they are written at once.
const TOGETHER_MS = 500

type Writing = { again: boolean; hurry: AbortController; done: Promise<void> }

/** What is written of runs for people, after the fact: of one run by one at a time, and always the newest. */
export class WriteBehind {
  readonly #write: (run: Run) => Promise<unknown>
  readonly #outside: { stopping: AbortSignal; log(line: string): void }
  readonly #writing = new Map<string, Writing>()

  constructor(outside: { stopping: AbortSignal; log(line: string): void }, write: (run: Run) => Promise<unknown>) {
    this.#outside = outside
    this.#write = write
  }

  soon(run: Run): void {
    const running = this.#writing.get(run.id)
    if (running) {
      running.again = true
      if (run.record.state.status !== 'active') running.hurry.abort()
      return
    }
    const entry: Writing = { again: false, hurry: new AbortController(), done: Promise.resolve() }
    this.#writing.set(run.id, entry)
    entry.done = this.#untilCurrent(run, entry)
  }

  /** Everything that was begun to be written is written. */
  async settle(): Promise<void> {
    await Promise.all([...this.#writing.values()].map(({ done }) => done))
  }

  async #untilCurrent(run: Run, entry: Writing): Promise<void> {
    const { stopping, log } = this.#outside
    do {
      if (run.record.state.status === 'active') {
        const signal = AbortSignal.any([entry.hurry.signal, stopping])
        await delay(TOGETHER_MS, undefined, { signal }).catch(() => {})
      }
      entry.again = false
      // Only for reading: a project that is gone or full must not stop the run.
      await this.#write(run).catch(error => log(`run ${run.id}: ${(error as Error).message}`))
    } while (entry.again)
    this.#writing.delete(run.id)
  }
}
