import { constants, type Dirent } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RehoboamError } from '../../contract/errors.ts'
import type { Grounds } from './grounds.ts'

// The largest trees of dependencies have some hundred thousand. More than this is a loop or an attack.
const MOST_ENTRIES = 3_000_000
// Enough to keep the disk busy; more only fills memory.
const AT_ONCE = 16
const LARGEST_SHIM = 64 * 1024
// A cache may hold what was made of the user's files; a proof must not rest on it, and each tool makes its own again.
const CACHES = new Set(['.cache', '.vite', '.vite-temp', '.vitest'])

/**
 * A tree of dependencies, file by file: shared blocks where the file system can (reflink), else copies. Never hard links: a test that
 * writes into its dependencies would write into the user's.
 */
export async function copyTree(source: string, target: string, given: Grounds, signal: AbortSignal): Promise<number> {
  const grounds = given.withTree(source, target)
  const waiting: { source: string; target: string; top: boolean }[] = [{ source, target, top: true }]
  let entries = 0
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { source: from, target: to, top } = next
    await mkdir(to, { mode: 0o700 | ((await stat(from)).mode & 0o777) })
    const found = await readdir(from, { withFileTypes: true })
    entries += found.length
    if (entries > MOST_ENTRIES) throw new RehoboamError('setup-too-large', `${source} has too many files to be copied`)
    const wanted = found.filter(entry => !(top && CACHES.has(entry.name)))
    for (const entry of wanted.filter(one => one.isDirectory())) {
      waiting.push({ source: join(from, entry.name), target: join(to, entry.name), top: false })
    }
    for (let i = 0; i < wanted.length; i += AT_ONCE) {
      signal.throwIfAborted()
      await Promise.all(wanted.slice(i, i + AT_ONCE).map(entry => copyEntry(entry, from, to, grounds)))
    }
  }
  return entries
}

/** Sockets, pipes and devices are nobody's dependency. */
async function copyEntry(entry: Dirent, from: string, to: string, grounds: Grounds): Promise<void> {
  const [source, target] = [join(from, entry.name), join(to, entry.name)]
  if (entry.isSymbolicLink()) return symlink(grounds.linkText(source, await readlink(source)), target)
  if (!entry.isFile()) return
  await copyFile(source, target, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL)
  if (from.endsWith('/.bin')) await repointShim(target, grounds)
}

/** Some package managers write a small script in place of a link, with the checkout's path in it. */
async function repointShim(path: string, { names, to }: Grounds): Promise<void> {
  const { size, mode } = await stat(path)
  // The worktree's path goes into a script: only one that means nothing but itself there.
  if (size > LARGEST_SHIM || !/^[\w@+./ -]+$/.test(to)) return
  const text = await readFile(path, 'latin1')
  if (!text.startsWith('#!')) return
  const here = Buffer.from(`${to}/`).toString('latin1')
  const repointed = names.reduce((t, name) => t.replaceAll(Buffer.from(`${name}/`).toString('latin1'), here), text)
  if (repointed !== text) await writeFile(path, repointed, { encoding: 'latin1', mode })
}
