import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { RehoboamError } from '../contract/errors.ts'
import type { Disk, Texts } from '../ports.ts'

/** Prompts and messages, one file each, named by content: putting one twice is putting it once. */
export function textsIn(directory: string, disk: Disk): Texts {
  return {
    async put(text) {
      const ref = nameOf(text)
      const path = join(directory, ref)
      const known = knownOn(disk)
      if (known.has(path) && (await isThere(path, ref, disk))) return ref
      await disk.makeDirectory(directory)
      await disk.replace(path, text)
      known.add(path)
      for (const oldest of known) {
        if (known.size <= MOST_KNOWN) break
        known.delete(oldest)
      }
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

// What we have brought to the disk ourselves needs not wait for it a second time. (Of what another process left nobody knows
// whether it had come that far.) A few runs' worth: whatever is not known is written again.
const MOST_KNOWN = 5_000
const known = new WeakMap<Disk, Set<string>>()

function knownOn(disk: Disk): Set<string> {
  const all = known.get(disk) ?? new Set<string>()
  known.set(disk, all)
  return all
}

async function isThere(path: string, ref: string, disk: Disk): Promise<boolean> {
  const bytes = await disk.read(path).catch(() => null)
  return bytes !== null && nameOf(bytes) === ref
}

function nameOf(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex')
}
