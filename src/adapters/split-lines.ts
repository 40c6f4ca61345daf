/** Cuts bytes into lines. A line over the limit is given as null: its bytes are never held. */
export class Lines {
  readonly #limit: number
  #held: Buffer[] = []
  #heldBytes = 0
  #tooLong = false
  #offset: number

  constructor(limitBytes: number, offset: number) {
    this.#limit = limitBytes
    this.#offset = offset
  }

  /** The lines that these bytes end, each with the offset after it. */
  *push(bytes: Buffer): Generator<{ line: string | null; offset: number }> {
    let start = 0
    for (let newline = bytes.indexOf(0x0a); newline !== -1; newline = bytes.indexOf(0x0a, start)) {
      this.#hold(bytes.subarray(start, newline))
      this.#offset += this.#taken(newline + 1 - start)
      yield { line: this.#release(), offset: this.#offset }
      start = newline + 1
    }
    this.#hold(bytes.subarray(start))
    this.#carried += bytes.length - start
  }

  /** The last line, when the writer ended without a newline. */
  rest(): { line: string | null; offset: number } | null {
    if (this.#carried === 0) return null
    this.#offset += this.#taken(0)
    return { line: this.#release(), offset: this.#offset }
  }

  #carried = 0

  #taken(bytes: number): number {
    const taken = this.#carried + bytes
    this.#carried = 0
    return taken
  }

  #hold(bytes: Buffer): void {
    if (this.#tooLong || bytes.length === 0) return
    if (this.#heldBytes + bytes.length > this.#limit) {
      this.#tooLong = true
      this.#held = []
      return
    }
    // A copy: the reader uses its buffer again.
    this.#held.push(Buffer.from(bytes))
    this.#heldBytes += bytes.length
  }

  #release(): string | null {
    const line = this.#tooLong ? null : Buffer.concat(this.#held).toString('utf8')
    this.#held = []
    this.#heldBytes = 0
    this.#tooLong = false
    return line
  }
}
