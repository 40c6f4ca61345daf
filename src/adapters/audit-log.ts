import { appendFile, readFile } from 'node:fs/promises'
import type { AuditEntry } from '../contract/question.ts'

/** Who decided what, when, from where, by which rule: one line each, only ever added to. */
export class AuditLog {
  readonly #path: string
  #last: Promise<void> = Promise.resolve()

  constructor(path: string) {
    this.#path = path
  }

  add(entry: AuditEntry): Promise<void> {
    const written = this.#last.then(() =>
      appendFile(this.#path, `${JSON.stringify(entry)}\n`, { mode: 0o600, flush: true }),
    )
    // One that could not be written must not take all that come after it along.
    this.#last = written.catch(() => {})
    return written
  }

  /** The newest entries, for those who ask, and for answers that were given while a hook could not hear them. */
  async recent(count: number): Promise<AuditEntry[]> {
    // What is being written has happened: whoever asks after it wants to see it.
    await this.#last
    const text = await readFile(this.#path, 'utf8').catch(() => '')
    return text
      .trimEnd()
      .split('\n')
      .slice(-count)
      .flatMap(line => {
        try {
          return [JSON.parse(line) as AuditEntry]
        } catch {
          return []
        }
      })
  }
}
