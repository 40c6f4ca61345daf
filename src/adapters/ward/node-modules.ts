import { lstat, readdir, realpath, rm, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { copyTree } from './copy-tree.ts'
import type { Grounds } from './grounds.ts'

const NAME = 'node_modules'
// A checkout with more directories under version control has its packages higher up.
const MOST_DIRECTORIES = 200_000

/** Places that have installed dependencies in the checkout and are directories in the worktree too: every workspace's. */
export async function findNodeModules({ from, to }: Grounds): Promise<string[]> {
  const found: string[] = []
  const waiting = [to]
  let seen = 0
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    const place = relative(to, directory)
    const installed = await stat(join(from, place, NAME)).catch(() => null)
    if (installed?.isDirectory()) found.push(join(place, NAME))
    if (++seen > MOST_DIRECTORIES) break
    const entries = await readdir(directory, { withFileTypes: true })
    for (const entry of entries) {
      if (entry.isDirectory() && entry.name !== NAME && entry.name !== '.git') waiting.push(join(directory, entry.name))
    }
  }
  return found.sort()
}

/** Dependencies that came with the tree itself stay; a link in their place leads out of it, and is replaced. */
export async function placeNodeModules(place: string, grounds: Grounds, signal: AbortSignal): Promise<boolean> {
  const target = join(grounds.to, place)
  const there = await lstat(target).catch(() => null)
  if (there && !there.isSymbolicLink()) return false
  if (there) await rm(target)
  await copyTree(await realpath(join(grounds.from, place)), target, grounds, signal)
  return true
}
