import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

type NoticeEntry = { told: string } | { quietUntil: number }

/** What has been told and until when it is quiet, one line each: a daemon that comes after us tells nothing twice. */
export class NoticeLog {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /** The newest entries; the file is left with no more than these. */
  read(most: number): NoticeEntry[] {
    const lines = this.#lines()
    if (lines.length > most) {
      writeFileSync(`${this.#path}.new`, `${lines.slice(-most).join('\n')}\n`, { mode: 0o600 })
      renameSync(`${this.#path}.new`, this.#path)
    }
    return lines.slice(-most).flatMap(line => {
      try {
        return [JSON.parse(line) as NoticeEntry]
      } catch {
        return []
      }
    })
  }

  /** Before it is told: a notice that is lost with us stands in the inbox, one that comes twice is a nuisance. */
  add(entry: NoticeEntry): void {
    appendFileSync(this.#path, `${JSON.stringify(entry)}\n`, { mode: 0o600 })
  }

  #lines(): string[] {
    try {
      return readFileSync(this.#path, 'utf8').split('\n').filter(Boolean)
    } catch {
      return []
    }
  }
}
