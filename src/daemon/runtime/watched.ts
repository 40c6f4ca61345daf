import { ENDED } from '../../contract/run.ts'
import type { Run } from './live-run.ts'

// A daemon that was killed is there again within minutes. To look at every run that ever ended would cost a start more than that.
const CUT_OFF_MS = 24 * 3_600_000

type Outside = {
  now(): number
  /** After every event. */
  look(run: Run): void
  /** Once it has ended; again after a restart, because a kill may have come between. */
  leave(run: Run): void
}

/** What follows the events of runs that own others, and their end. */
export class Watched {
  readonly #outside: Outside
  readonly #runs = new Set<string>()

  constructor(outside: Outside) {
    this.#outside = outside
  }

  /** After a restart: one that waits for a person has nothing to be done, and still asks. */
  recover(runs: Run[]): void {
    for (const run of runs) {
      this.watch(run)
      const { endedAt } = run.record.state
      if (endedAt !== null && this.#outside.now() - endedAt < CUT_OFF_MS) this.#outside.leave(run)
    }
  }

  watch(run: Run): void {
    if (this.#runs.has(run.id)) return
    this.#runs.add(run.id)
    let wasEnded = ENDED.has(run.record.state.status)
    const look = () => {
      this.#outside.look(run)
      const isEnded = ENDED.has(run.record.state.status)
      if (isEnded && !wasEnded) this.#outside.leave(run)
      wasEnded = isEnded
    }
    run.listen(look)
    look()
  }
}
