type Stream = { write(text: string): boolean; columns?: number; rows?: number }

/** Lines that stay at the bottom of a terminal, below whatever is written meanwhile. */
export class Foot {
  readonly #stream: Stream
  #lines: string[] = []

  constructor(stream: Stream) {
    this.#stream = stream
  }

  /** How much it may hold: a line that is too long, or one too many, would scroll, and could not be taken back. */
  get size(): { columns: number; rows: number } {
    const { columns = 80, rows = 24 } = this.#stream
    return { columns: columns - 1, rows: Math.max(2, rows - 2) }
  }

  show(lines: string[]): void {
    const erased = this.#eraser()
    this.#lines = lines
    this.#stream.write(`${erased}${lines.map(line => `${line}\n`).join('')}`)
  }

  /** Writes something above it. */
  above(write: () => void): void {
    const lines = this.#lines
    if (lines.length) this.show([])
    write()
    if (lines.length) this.show(lines)
  }

  #eraser(): string {
    return this.#lines.length ? `\u001b[${this.#lines.length}A\r\u001b[J` : ''
  }
}
