import type { HistoryEntry } from '../../adapters/history/history-store.ts'

/** What others learn about agents. */
export interface AgentsListener {
  changed(session: string): void
  /** The session showed a prompt, and at this time it no longer did: somebody answered in its own pane. */
  answered(session: string, at: number): void
  /** An entry was added to the history. */
  noted(entry: HistoryEntry): void
}

/** Tells every listener, in the order in which they were added. */
export class AgentsListeners implements AgentsListener {
  readonly #listeners: AgentsListener[] = []

  add(listener: AgentsListener): void {
    this.#listeners.push(listener)
  }

  changed(session: string): void {
    for (const listener of this.#listeners) listener.changed(session)
  }

  answered(session: string, at: number): void {
    for (const listener of this.#listeners) listener.answered(session, at)
  }

  noted(entry: HistoryEntry): void {
    for (const listener of this.#listeners) listener.noted(entry)
  }
}
