import { open } from 'node:fs/promises'
import { readBounded } from './bounded-file.ts'

// More than a file of ours can hold.
const WHOLE = 8 * 1024 * 1024

/** What a command of the ward printed, for finding its failures; nothing when the file is gone. */
export async function readWardOutput(path: string): Promise<string> {
  return (await readBounded(path, WHOLE))?.toString('utf8') ?? ''
}

/** Its last bytes, where a program says why it ended. */
export async function lastOutput(path: string, bytes: number): Promise<string> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const content = Buffer.alloc(Math.min(size, bytes))
    const { bytesRead } = await file.read(content, 0, content.length, size - content.length)
    return content.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}
