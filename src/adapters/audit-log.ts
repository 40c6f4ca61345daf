import { appendFile, readFile } from 'node:fs/promises'
import type { AuditEntry } from '../contract/inbox.ts'

/** Who decided what, when, from where, by which rule: one line each, only ever added to. */
export class AuditLog {
  readonly #path: string
  #last: Promise<void> = Promise.resolve()

  constructor(path: string) {
    this.#path = path
  }

  add(entry: AuditEntry): Promise<void> {
    this.#last = this.#last.then(() =>
      appendFile(this.#path, `${JSON.stringify(entry)}\n`, { mode: 0o600, flush: true }),
    )
    return this.#last
  }

  /** The newest entries, for those who ask, and for answers that were given while a hook could not hear them. */
  async recent(count: number): Promise<AuditEntry[]> {
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
