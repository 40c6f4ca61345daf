import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

/** A file's first bytes; null when there is none that can be read. A pipe or a device in its place is not waited for. */
export async function readBounded(path: string, limit: number): Promise<Buffer | null> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const stats = await file.stat()
      if (!stats.isFile()) return null
      const content = Buffer.alloc(Math.min(stats.size, limit))
      let length = 0
      while (length < content.length) {
        const { bytesRead } = await file.read(content, length, content.length - length, length)
        if (bytesRead === 0) break
        length += bytesRead
      }
      return content.subarray(0, length)
    } finally {
      await file.close()
    }
  } catch {
    return null
  }
}
