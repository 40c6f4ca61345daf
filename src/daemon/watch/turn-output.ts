import { join } from 'node:path'
import { Changes } from '../../adapters/changes.ts'
import { LineReader } from '../../adapters/line-reader.ts'

// For file systems that do not tell of changes.
const LOOK_EVERY_MS = 1_000

type Line = { line: string | null; offset: number }

/** The output file of one turn after the other, read on demand and never further than wanted. */
export class TurnOutput {
  readonly #directory: string
  readonly #lineLimitBytes: number
  #reader: LineReader | null = null
  #lines: AsyncGenerator<Line> | null = null
  #ahead: Line | null = null
  #changes: Changes | null = null
  #timer: NodeJS.Timeout | null = null
  #turn: number
  #offset: number

  constructor(runDirectory: string, turn: number, offset: number, lineLimitBytes: number) {
    this.#directory = runDirectory
    this.#lineLimitBytes = lineLimitBytes
    this.#turn = turn
    this.#offset = offset
    if (turn > 0) this.#openReader()
  }

  get turn(): number {
    return this.#turn
  }

  /** Every line before this byte has been given out. */
  get offset(): number {
    return this.#offset
  }

  async open(turn: number): Promise<void> {
    await this.close()
    this.#turn = turn
    this.#offset = 0
    this.#openReader()
  }

  /** The lines that end at or before a byte. With `rest`, the writer has ended without a last newline. */
  async *upTo(limit: number, rest: boolean): AsyncGenerator<string | null> {
    for (;;) {
      const next = this.#ahead ?? (await this.#next(rest))
      this.#ahead = next
      if (!next || next.offset > limit) return
      this.#ahead = null
      this.#offset = next.offset
      yield next.line
    }
  }

  /** Calls back when there may be more to read. */
  onChange(tell: () => void): void {
    if (!this.#reader) return
    this.#changes ??= new Changes(join(this.#directory, 'turns', String(this.#turn)))
    this.#changes.onChange = tell
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = setTimeout(tell, LOOK_EVERY_MS)
  }

  async close(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#changes?.close()
    this.#changes = null
    await this.#reader?.close()
    this.#reader = null
    this.#lines = null
    this.#ahead = null
  }

  #openReader(): void {
    const path = join(this.#directory, 'turns', String(this.#turn), 'output.ndjson')
    this.#reader = new LineReader(path, this.#offset, this.#lineLimitBytes)
  }

  async #next(rest: boolean): Promise<Line | null> {
    if (!this.#reader) return null
    for (let tries = 0; tries < 2; tries++) {
      this.#lines ??= this.#reader.read({ rest })
      const { value, done } = await this.#lines.next()
      if (!done) return value
      this.#lines = null
    }
    return null
  }
}
