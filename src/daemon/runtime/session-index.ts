import { sessionOf } from '../../core/run/run-state.ts'
import type { Run } from './live-run.ts'

/** Which run works with a session. A hook event asks this before every tool call, so nothing is searched. */
export class SessionIndex {
  readonly #runs = new Map<string, Run>()

  /** Follows the run from now on: a loop has another session in each iteration. */
  add(run: Run): void {
    let known: string | undefined
    const update = () => {
      const session = sessionOf(run.record.state)?.spec.session
      if (session === known) return
      if (known !== undefined && this.#runs.get(known) === run) this.#runs.delete(known)
      if (session !== undefined) this.#runs.set(session, run)
      known = session
    }
    run.listen(update)
    update()
  }

  find(session: string): Run | null {
    return this.#runs.get(session) ?? null
  }
}
