import { availableParallelism } from 'node:os'
import type { RunEvent } from '../../contract/event.ts'
import type { Run } from '../runtime/live-run.ts'

// Each ward may use the whole machine.
const MOST_WARDS = Math.max(1, Math.floor(availableParallelism() / 2))

/** Lets wards of all runs take turns, and cancels those of a run that has ended. */
export class WardTurns {
  readonly #stopping: AbortSignal
  readonly #running = new Set<Promise<void>>()
  readonly #cancels = new Map<string, AbortController>()

  constructor(stopping: AbortSignal) {
    this.#stopping = stopping
  }

  /** Runs the ward as soon as there is a free turn. Returns null when the run was cancelled: nobody waits for the outcome. */
  async take(run: Run, ward: (signal: AbortSignal) => Promise<RunEvent>): Promise<RunEvent | null> {
    const signal = this.signalOf(run)
    while (this.#running.size >= MOST_WARDS) await Promise.race(this.#running)
    const done = ward(signal)
    const settled = done.then(
      () => {},
      () => {},
    )
    this.#running.add(settled)
    try {
      return await done
    } catch (error) {
      if (signal.aborted) return null
      throw error
    } finally {
      this.#running.delete(settled)
    }
  }

  /** Ends what is being checked or judged for this run. */
  cancel(run: Run): void {
    this.#cancels.get(run.id)?.abort()
  }

  /** Aborts when the run is cancelled or the daemon stops. A later call after a cancel returns a fresh signal. */
  signalOf(run: Run): AbortSignal {
    const known = this.#cancels.get(run.id)
    const cancel = known && !known.signal.aborted ? known : new AbortController()
    this.#cancels.set(run.id, cancel)
    return AbortSignal.any([cancel.signal, this.#stopping])
  }
}
