import type { AppendFile, Disk } from '../../src/ports.ts'

export type MemoryDisk = Disk & { files: Map<string, Uint8Array> }

/** A disk in memory, for tests that open a journal some ten thousand times. It is held to the real one by disk.test.ts. */
export function memoryDisk(files = new Map<string, Uint8Array>()): MemoryDisk {
  return {
    files,
    async openAppend(path) {
      if (!files.has(path)) files.set(path, new Uint8Array())
      return appendFile(files, path)
    },
    read: async path => files.get(path)?.slice() ?? null,
    async replace(path, content) {
      files.set(path, typeof content === 'string' ? Buffer.from(content) : content.slice())
    },
    async makeDirectory() {},
  }
}

function appendFile(files: Map<string, Uint8Array>, path: string): AppendFile {
  return {
    get size() {
      return files.get(path)!.length
    },
    async append(content) {
      files.set(path, Buffer.concat([files.get(path)!, Buffer.from(content)]))
    },
    async truncate(size) {
      files.set(path, files.get(path)!.slice(0, size))
    },
    async close() {},
  }
}
