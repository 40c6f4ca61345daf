import type { NoticeLog } from '../../adapters/notice-log.ts'
import type { Notice } from '../../adapters/notifier.ts'
import type { Clock } from '../../ports.ts'

// More notices than anybody reads in a day; ids older than these will not come again.
const REMEMBERED = 2_000

type Outside = {
  clock: Clock
  log: NoticeLog
  deliver(notice: Notice): void
  failed(why: string): void
}

/** One notice for each thing, not one for each event and not one for each daemon, and none while a person wants quiet. */
export class Notices {
  readonly #outside: Outside
  readonly #told = new Set<string>()
  #quietUntil = 0

  constructor(outside: Outside) {
    this.#outside = outside
    for (const entry of outside.log.read(REMEMBERED)) {
      if ('told' in entry) this.#told.add(entry.told)
      else this.#quietUntil = entry.quietUntil
    }
  }

  tell(notice: Omit<Notice, 'at'>): void {
    if (this.#told.has(notice.id)) return
    this.#told.add(notice.id)
    if (this.#told.size > REMEMBERED) this.#told.delete(this.#told.values().next().value!)
    this.#note({ told: notice.id })
    if (this.mutedUntil() !== null) return
    this.#outside.deliver({
      ...notice,
      text: shown(notice.text),
      at: new Date(this.#outside.clock.now()).toISOString(),
    })
  }

  mute(forMs: number): string | null {
    this.#quietUntil = this.#outside.clock.now() + forMs
    this.#note({ quietUntil: this.#quietUntil })
    return this.mutedUntil()
  }

  /** Until when it is quiet, or null. */
  mutedUntil(): string | null {
    return this.#outside.clock.now() < this.#quietUntil ? new Date(this.#quietUntil).toISOString() : null
  }

  /** A full disk must not keep a person from being told. */
  #note(entry: Parameters<NoticeLog['add']>[0]): void {
    try {
      this.#outside.log.add(entry)
    } catch (error) {
      this.#outside.failed(`a notice could not be written down: ${(error as Error).message}`)
    }
  }
}

// What an agent wrote becomes an argument of a program and a line on a desktop.
function shown(text: string): string {
  return text
    .slice(0, 500)
    .replace(/\p{C}+/gu, ' ')
    .trim()
}
