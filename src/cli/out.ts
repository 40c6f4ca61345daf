import { plainBlock, plainJson } from '../view/plain.ts'
import { Foot } from './foot.ts'

type Stream = { write(text: string): boolean; isTTY?: boolean; columns?: number; rows?: number }
type Tone = 'say' | 'tool' | 'fail' | 'note' | 'good'

const COLOURS: Record<Tone, string> = { say: '', tool: '34', fail: '31', note: '2', good: '32' }

/** Where a command writes. Colours only on a terminal that wants them. */
export class Out {
  readonly #out: Stream
  readonly #error: Stream
  /** Colours and titles: wanted by nobody who said NO_COLOR or --plain. */
  readonly mayEscape: boolean
  readonly isTerminal: boolean
  /** Bell and title: nothing of that for whoever wants it plain. */
  readonly mayRing: boolean
  /** How wide a line may be; without end where nobody looks at it on a screen. */
  readonly columns: number
  /** Stays below what is written; only where `mayEscape`. */
  readonly foot: Foot

  constructor(out: Stream, error: Stream, env: Record<string, string | undefined>, argv: string[]) {
    this.#out = out
    this.#error = error
    this.isTerminal = out.isTTY === true
    this.mayRing = this.isTerminal && env.TERM !== 'dumb' && !argv.includes('--plain')
    this.columns = this.isTerminal && out.columns ? out.columns : Number.POSITIVE_INFINITY
    this.mayEscape = this.mayRing && !env.NO_COLOR
    this.foot = new Foot(out)
  }

  line(text: string, tone: Tone = 'say'): void {
    const colour = this.mayEscape && COLOURS[tone]
    this.foot.above(() => this.#out.write(colour ? `\u001b[${colour}m${text}\u001b[0m\n` : `${text}\n`))
  }

  /** One value, for scripts. */
  json(value: unknown): void {
    this.#out.write(`${plainJson(value, 2)}\n`)
  }

  /** One object a line, for those who follow. */
  jsonLine(value: unknown): void {
    this.#out.write(`${plainJson(value)}\n`)
  }

  /** Notes and errors quote files, clients and arguments: nothing of that may reach the terminal as a command to it. */
  note(text: string): void {
    this.foot.above(() => this.#error.write(`${plainBlock(text)}\n`))
  }

  error(text: string): void {
    this.#error.write(`rehoboam: ${plainBlock(text)}\n`)
  }

  raw(text: string): void {
    this.#out.write(text)
  }

  rawError(text: string): void {
    this.#error.write(text)
  }
}
