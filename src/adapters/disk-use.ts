import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'

// A worktree with its node_modules has more; then the figure is a lower bound, and nobody waits for it.
const MOST_ENTRIES = 200_000

/** How many bytes a directory takes, links not followed; null when it is not there. */
export async function diskUse(directory: string): Promise<number | null> {
  if (!(await lstat(directory).catch(() => null))?.isDirectory()) return null
  const waiting = [directory]
  let bytes = 0
  let seen = 0
  for (let next = waiting.pop(); next !== undefined && seen < MOST_ENTRIES; next = waiting.pop()) {
    const entries = await opendir(next).catch(() => null)
    if (!entries) continue
    for await (const entry of entries) {
      seen += 1
      const path = join(next, entry.name)
      if (entry.isDirectory()) waiting.push(path)
      else bytes += (await lstat(path).catch(() => null))?.size ?? 0
    }
  }
  return bytes
}
