import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

// What went wrong stands at the end, what was run at the beginning. A test suite that prints more than this prints for nobody.
const HEAD_BYTES = 1024 * 1024
const TAIL_BYTES = 3 * 1024 * 1024

/** The output of one command in a 0600 file: whole, or its beginning and its end with a line in between that says so. */
export class BoundedOutput {
  #file: FileHandle
  #headLeft = HEAD_BYTES
  #tail: Buffer[] = []
  #tailBytes = 0
  #leftOut = 0
  #written: Promise<unknown> = Promise.resolve()

  private constructor(file: FileHandle) {
    this.#file = file
  }

  static async create(path: string): Promise<BoundedOutput> {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW
    return new BoundedOutput(await open(path, flags, 0o600))
  }

  add(chunk: Buffer): void {
    const head = chunk.subarray(0, this.#headLeft)
    this.#headLeft -= head.length
    if (head.length > 0) this.#write(head)
    const rest = chunk.subarray(head.length)
    if (rest.length === 0) return
    this.#tail.push(rest)
    this.#tailBytes += rest.length
    while (this.#tailBytes - (this.#tail[0]?.length ?? 0) >= TAIL_BYTES) {
      const dropped = this.#tail.shift()?.length ?? 0
      this.#tailBytes -= dropped
      this.#leftOut += dropped
    }
  }

  /** A full disk loses output, not the result: that is what the command said with its code. */
  async close(): Promise<void> {
    if (this.#leftOut > 0) this.#write(Buffer.from(`\n[... ${this.#leftOut} bytes left out ...]\n`))
    for (const part of this.#tail) this.#write(part)
    await this.#written
    await this.#file.close()
  }

  #write(part: Buffer): void {
    this.#written = this.#written.then(() => this.#file.writeFile(part)).catch(() => {})
  }
}
