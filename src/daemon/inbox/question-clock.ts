import type { RunEvent } from '../../contract/event.ts'
import type { RunRecord } from '../../core/run/advance.ts'
import type { Clock } from '../../ports.ts'
import type { Run } from '../runtime/live-run.ts'
import type { Inbox } from './inbox.ts'

// After a start of ours nobody has asked anything yet; hooks that wait ask again within a second or two. Too short: a time
// limit runs out under somebody who was asked (bad). Too long: a run has that much more time (cheap).
const HEARD_AGAIN_MS = 10_000

type Outside = { clock: Clock; inbox: Inbox; runs: { all(): Run[] }; log(line: string): void }

/** While a question of a run is open, its time limit stands still. */
export class QuestionClock {
  readonly #outside: Outside
  /** Runs that somebody was asked about before we started: whoever waits there has yet to say so again. */
  readonly #unheard = new Set<string>()

  constructor(outside: Outside) {
    this.#outside = outside
  }

  start(): void {
    const { clock, runs } = this.#outside
    for (const { id, record } of runs.all()) {
      const limit = record.state.timeLimit
      if (limit && 'leftMs' in limit) this.#unheard.add(id)
    }
    clock.at(clock.now() + HEARD_AGAIN_MS, () => {
      this.#unheard.clear()
      this.look()
    })
  }

  /** Whenever a question is opened or closed. */
  look(): void {
    for (const run of this.#outside.runs.all()) this.lookAt(run)
  }

  /** After every event of a run: a limit that was just set may have to stand still at once. */
  lookAt(run: Run): void {
    if (!this.#due(run.record)) return
    run
      .post(record => this.#due(record))
      .catch(error => this.#outside.log(`the clock of run ${run.id}: ${(error as Error).message}`))
  }

  #due(record: RunRecord): RunEvent | null {
    const { id, status, timeLimit: limit } = record.state
    if (status !== 'active' || !limit) return null
    const isAsked = this.#outside.inbox.isAsking(id)
    if (isAsked) this.#unheard.delete(id)
    if ('endsAtMs' in limit) return isAsked ? { type: 'clock-stopped' } : null
    return isAsked || this.#unheard.has(id) ? null : { type: 'clock-started' }
  }
}
