import { readSync } from 'node:fs'

// A payload carries a tool's whole input and output: a picture, a large file twice over. Too low: the event is lost.
const INPUT_LIMIT = 64_000_000

/** All of it in one go: a stream would cost more than everything else that a hook does. Empty when it is too much. */
export async function standardInput(): Promise<string> {
  const parts: Buffer[] = []
  try {
    for (let size = 0; size <= INPUT_LIMIT; ) {
      const part = Buffer.allocUnsafe(65_536)
      const length = readSync(0, part)
      if (length === 0) return Buffer.concat(parts).toString('utf8')
      parts.push(part.subarray(0, length))
      size += length
    }
    return ''
  } catch (error) {
    // Whoever started us gave an end that does not wait: then the rest of it must be waited for.
    return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? streamed(parts) : ''
  }
}

async function streamed(parts: Buffer[]): Promise<string> {
  let size = parts.reduce((sum, { length }) => sum + length, 0)
  for await (const part of process.stdin) {
    size += part.length
    if (size > INPUT_LIMIT) return ''
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
