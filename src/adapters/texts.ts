import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { RehoboamError } from '../contract/errors.ts'
import type { Disk, Texts } from '../ports.ts'

/** Prompts and messages, one file each, named by content: putting one twice is putting it once. */
export function textsIn(directory: string, disk: Disk): Texts {
  return {
    async put(text) {
      const ref = nameOf(text)
      await disk.makeDirectory(directory)
      await disk.replace(join(directory, ref), text)
      return ref
    },
    async get(ref) {
      const bytes = await disk.read(join(directory, ref))
      if (!bytes) throw new RehoboamError('text-missing', `the text ${ref} of this run is gone from its directory`)
      // An agent runs as the same user, and what it was asked to do is not for it to change.
      if (nameOf(bytes) !== ref) throw new RehoboamError('text-changed', `the text ${ref} of this run was changed`)
      return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
    },
  }
}

function nameOf(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex')
}
