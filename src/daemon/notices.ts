import type { Notice } from '../adapters/notifier.ts'
import type { Clock } from '../ports.ts'

// More notices than anybody reads in a day; ids older than these will not come again.
const REMEMBERED = 2_000

/** One notice for each thing, not one for each event, and none while a person wants quiet. */
export class Notices {
  readonly #clock: Clock
  readonly #deliver: (notice: Notice) => void
  readonly #told = new Set<string>()
  #quietUntil = 0

  constructor(clock: Clock, deliver: (notice: Notice) => void) {
    this.#clock = clock
    this.#deliver = deliver
  }

  tell(notice: Omit<Notice, 'at'>): void {
    if (this.#told.has(notice.id)) return
    this.#told.add(notice.id)
    if (this.#told.size > REMEMBERED) this.#told.delete(this.#told.values().next().value!)
    if (this.#clock.now() < this.#quietUntil) return
    this.#deliver({ ...notice, text: shown(notice.text), at: new Date(this.#clock.now()).toISOString() })
  }

  /** Until when it is quiet now, or null. */
  mute(forMs: number): string | null {
    this.#quietUntil = this.#clock.now() + forMs
    return forMs > 0 ? new Date(this.#quietUntil).toISOString() : null
  }
}

// What an agent wrote becomes an argument of a program and a line on a desktop.
function shown(text: string): string {
  return text
    .slice(0, 500)
    .replace(/\p{C}+/gu, ' ')
    .trim()
}
