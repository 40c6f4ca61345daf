import { randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import type { Settings } from './settings.ts'

/** What the process says on stdout, in the format that was asked for. */
export class Output {
  private readonly kept: unknown[] = []
  private readonly format: Settings['format']
  private readonly verbose: boolean

  constructor(settings: Settings) {
    this.format = settings.format
    this.verbose = settings.verbose
  }

  line(session: string, line: Record<string, unknown>): void {
    const whole = { ...line, session_id: session, uuid: randomUUID() }
    if (this.format === 'stream-json') write(`${JSON.stringify(whole)}\n`)
    else this.kept.push(whole)
  }

  /** The two formats that speak only once, at the very end. */
  end(lastText: string): void {
    if (this.format === 'text') write(`${lastText}\n`)
    if (this.format === 'json') write(`${JSON.stringify(this.verbose ? this.kept : this.kept.at(-1))}\n`)
  }
}

/** Whole, in order, and at once: a reader that kills us must have every line that we finished. */
function write(text: string): void {
  let rest = Buffer.from(text)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // A slow reader of a pipe: try again. A reader that is gone: the real client does not care either.
      if (code === 'EAGAIN') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
      else if (code === 'EPIPE') return
      else throw error
    }
  }
}
