import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Lines } from './split-lines.ts'

/** Reads a growing file line by line, each time on from where it stopped. A file that is not there yet is empty. */
export class LineReader {
  readonly #path: string
  readonly #lines: Lines
  #file: FileHandle | null = null
  /** Kept from one read to the next: a session that writes is read at every line. */
  #buffer: Buffer | null = null
  #position: number

  constructor(path: string, from: number, lineLimitBytes: number) {
    this.#path = path
    this.#lines = new Lines(lineLimitBytes, from)
    this.#position = from
  }

  /** Bytes read so far, also of a line that has not ended yet. */
  get position(): number {
    return this.#position
  }

  /** The lines that are there now. With `rest`, the writer has ended, and its last line needs no newline. */
  async *read({ rest }: { rest: boolean }): AsyncGenerator<{ line: string | null; offset: number }> {
    this.#file ??= await openFile(this.#path)
    this.#buffer ??= Buffer.allocUnsafe(64 * 1024)
    const buffer = this.#buffer
    while (this.#file) {
      const { bytesRead } = await this.#file.read(buffer, 0, buffer.length, this.#position)
      if (bytesRead === 0) break
      this.#position += bytesRead
      yield* this.#lines.push(buffer.subarray(0, bytesRead))
      // Less than was asked for is all that there is.
      if (bytesRead < buffer.length) break
    }
    const last = rest ? this.#lines.rest() : null
    if (last) yield last
  }

  async close(): Promise<void> {
    await this.#file?.close()
    this.#file = null
    this.#buffer = null
  }
}

/** Sessions say where their transcripts are. A device has no end, and a pipe would hold whoever opens it. */
async function openFile(path: string): Promise<FileHandle | null> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => null)
  if (!file || (await file.stat()).isFile()) return file
  await file.close()
  return null
}
