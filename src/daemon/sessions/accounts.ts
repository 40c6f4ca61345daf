import { limitedUntil } from '../../core/account.ts'
import type { Clock } from '../../ports.ts'
import type { Run } from '../runtime/run.ts'

/**
 * What one run finds out about its account holds for all runs of that account: nothing of it starts before the limit is over.
 * What is known is in the runs themselves, so a restart loses nothing of it.
 */
export class Accounts {
  readonly #clock: Clock
  readonly #limits = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  look({ record: { state } }: Run): void {
    const { account } = state.environment
    const until = limitedUntil(state)
    if (account === undefined || until === null || until <= this.#clock.now()) return
    this.#limits.set(account, Math.max(until, this.#limits.get(account) ?? 0))
  }

  /** Null: there is no limit that we know of. */
  limitOf({ record: { state } }: Run): number | null {
    const { account } = state.environment
    const until = account === undefined ? undefined : this.#limits.get(account)
    return until !== undefined && until > this.#clock.now() ? until : null
  }

  /** Until nothing is known that keeps this run's account from going on. */
  async free(run: Run, signal: AbortSignal): Promise<void> {
    for (let until = this.limitOf(run); until !== null; until = this.limitOf(run)) await this.#until(until, signal)
  }

  #until(atMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        cancel()
        reject(signal.reason)
      }
      const cancel = this.#clock.at(atMs, () => {
        signal.removeEventListener('abort', stop)
        resolve()
      })
      if (signal.aborted) return stop()
      signal.addEventListener('abort', stop)
    })
  }
}
