import type { Out } from './out.ts'

// Put the title on the terminal's own stack, and take it from there again.
const KEEP_TITLE = '\u001b[22;2t'
const RESTORE_TITLE = '\u001b[23;2t'

/** The bell and the title of a terminal: it rings once for each question that is new, the title says how many wait. */
export class Bell {
  readonly #out: Out
  readonly #seen = new Set<string>()
  #isFirst = true
  #count: number | null = null

  constructor(out: Out) {
    this.#out = out
  }

  /** What waits now. What waited before anybody looked is not news: it is on the screen already. */
  tell(ids: string[], isQuiet: boolean): void {
    const fresh = ids.filter(id => !this.#seen.has(id))
    for (const id of fresh) this.#seen.add(id)
    const rings = fresh.length > 0 && !this.#isFirst && !isQuiet
    this.#isFirst = false
    if (!this.#out.mayRing) return
    if (rings) this.#out.raw('\u0007')
    if (this.#out.mayEscape) this.#title(ids.length)
  }

  stop = (): void => {
    if (this.#count === null) return
    this.#count = null
    process.removeListener('exit', this.stop)
    this.#out.raw(RESTORE_TITLE)
  }

  #title(count: number): void {
    if (count === this.#count) return
    if (this.#count === null) {
      this.#out.raw(KEEP_TITLE)
      process.once('exit', this.stop)
      process.once('SIGTERM', () => process.exit(143))
    }
    this.#count = count
    this.#out.raw(`\u001b]2;rehoboam: ${count === 0 ? 'nothing waits' : `${count} need you`}\u001b\\`)
  }
}
