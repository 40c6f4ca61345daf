import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { AppendFile, Disk } from '../ports.ts'

/** Files of ours: 0600 in 0700 directories, and on the disk when a call returns. */
export const realDisk: Disk = {
  async openAppend(path) {
    const flags = constants.O_RDWR | constants.O_CREAT
    const file = await open(path, flags, 0o600)
    await syncDirectory(dirname(path))
    return appendFile(file, (await file.stat()).size)
  },

  async read(path) {
    try {
      return await readFile(path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw error
    }
  },

  async replace(path, content) {
    await replaceFile(path, content, { isSynced: true })
    await syncDirectory(dirname(path))
  },

  async makeDirectory(path) {
    const first = await mkdir(path, { recursive: true, mode: 0o700 })
    if (!first) return
    // Every directory on the way is a new name in the one above it. Together they wait for the disk once.
    const above: string[] = []
    for (let made = resolve(path); made.length >= first.length; made = dirname(made)) above.push(dirname(made))
    await Promise.all(above.map(syncDirectory))
  },
}

let temporaries = 0

/** Whole or not at all for whoever reads it. Without a sync a power cut may take it back: for what is then made anew. */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  { isSynced }: { isSynced: boolean },
): Promise<void> {
  const temporary = `${path}.${process.pid}.${++temporaries}.tmp`
  // One that is there already was left by a process that was killed and had our number: in a container all of them do.
  const file = await open(temporary, 'w', 0o600)
  try {
    await file.writeFile(content)
    if (isSynced) await file.datasync()
    await file.close()
    await rename(temporary, path)
  } catch (error) {
    await file.close().catch(() => {})
    await rm(temporary, { force: true })
    throw error
  }
}

function appendFile(file: FileHandle, size: number): AppendFile {
  let end = size
  return {
    get size() {
      return end
    },
    async append(content) {
      const bytes = Buffer.from(content)
      for (let done = 0; done < bytes.length; ) {
        const { bytesWritten } = await file.write(bytes, done, bytes.length - done, end + done)
        done += bytesWritten
      }
      await file.datasync()
      end += bytes.length
    },
    async truncate(size) {
      await file.truncate(size)
      await file.datasync()
      end = size
    },
    close: () => file.close(),
  }
}

/** A new name in a directory is safe only when the directory itself is on the disk. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, constants.O_RDONLY)
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
