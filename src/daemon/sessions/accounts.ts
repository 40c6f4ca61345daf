import { limitedUntil } from '../../core/run/limited-until.ts'
import type { Clock } from '../../ports.ts'
import type { Run } from '../runtime/live-run.ts'
import type { Places } from './places.ts'

type Limit = { account: string; untilMs: number }

/**
 * What one run finds out about its account holds for all runs of that account: nothing of it starts before the limit is over,
 * or nobody waits for it any more. What is known is in the runs themselves, so a restart loses nothing of it.
 */
export class Accounts {
  readonly #clock: Clock
  /** By run. */
  readonly #limits = new Map<string, Limit>()
  readonly #waiting = new Set<() => void>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  look({ id, record: { state } }: Run): void {
    const { account } = state.environment
    const untilMs = limitedUntil(state)
    if (account !== undefined && untilMs !== null) this.#limits.set(id, { account, untilMs })
    // Its limit is lifted: whoever waited for that looks again.
    else if (this.#limits.delete(id)) for (const wake of [...this.#waiting]) wake()
  }

  /** Null: there is no limit that we know of. */
  limitOf({ record: { state } }: Run): number | null {
    const { account } = state.environment
    const limits = [...this.#limits.values()].filter(limit => limit.account === account)
    const untilMs = Math.max(0, ...limits.map(limit => limit.untilMs))
    return untilMs > this.#clock.now() ? untilMs : null
  }

  /** A place, at a moment when nothing is known that keeps this run's account from going on. */
  async takePlace(run: Run, places: Places, signal: AbortSignal): Promise<() => void> {
    for (;;) {
      // Without a limit it queues before this returns: a younger one must not come first.
      for (let until = this.limitOf(run); until !== null; until = this.limitOf(run)) await this.#until(until, signal)
      const release = await places.take(run.record.state.createdAt, signal)
      if (this.limitOf(run) === null) return release
      release()
    }
  }

  #until(atMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        cancel()
        this.#waiting.delete(wake)
        signal.removeEventListener('abort', stop)
      }
      const wake = () => {
        leave()
        resolve()
      }
      const stop = () => {
        leave()
        reject(signal.reason)
      }
      const cancel = this.#clock.at(atMs, wake)
      if (signal.aborted) return stop()
      this.#waiting.add(wake)
      signal.addEventListener('abort', stop)
    })
  }
}
