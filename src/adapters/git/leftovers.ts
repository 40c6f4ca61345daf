import { lstat, readdir, readFile, rm, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isAlive } from '../process-table.ts'
import { WHOLE } from './work-worktree.ts'
import { pointedAt } from './worktrees.ts'

/** The beginning of the name of a directory with a copy of an index; it goes on with whose it is. */
export const INDEX_COPY = 'rehoboam-index-'

const ANSWERS_WITHIN_MS = 2_000

/** What one of us that was killed left behind: copies of an index, and worktrees that were just being made in these repositories. */
export async function dropLeftovers(directories: string[]): Promise<void> {
  await dropIndexCopies()
  // A project on a mount that does not answer must not keep all others from going on.
  const inTime = (directory: string) =>
    Promise.race([commonDirAbove(directory), delay(ANSWERS_WITHIN_MS, null, { ref: false })])
  const repositories = await Promise.all(directories.map(inTime))
  for (const common of new Set(repositories)) if (common) await dropCutOff(common)
}

async function dropIndexCopies(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => [])
  for (const name of names.filter(one => one.startsWith(INDEX_COPY))) {
    const pid = Number(/^(\d+)-/.exec(name.slice(INDEX_COPY.length))?.[1] ?? 0)
    const path = join(tmpdir(), name)
    const found = await lstat(path).catch(() => null)
    if (pid < 2 || isAlive(pid) || !found?.isDirectory() || found.uid !== process.getuid?.()) continue
    await rm(path, { recursive: true, force: true })
  }
}

/**
 * Before git knows what to check out, the HEAD of a new worktree is forty zeros: `git log --all` fails in the whole repository
 * for as long as it stands there. No file of anybody's is in it yet.
 */
async function dropCutOff(common: string): Promise<void> {
  const all = join(common, 'worktrees')
  for (const name of await readdir(all).catch(() => [])) {
    const own = join(all, name)
    const read = (file: string) => readFile(join(own, file), 'utf8').catch(() => '')
    const head = await readFile(join(own, 'HEAD'), 'utf8').catch((error: NodeJS.ErrnoException) => error.code ?? '?')
    if (!(await read('locked')).startsWith('rehoboam:') || !/^(0*|ENOENT)$/.test(head.trim())) continue
    if (await lstat(join(own, WHOLE)).catch(() => null)) continue
    const path = dirname(resolve(own, (await read('gitdir')).trim()))
    // Only what is certainly its own: whatever else stands there is not ours to judge here.
    if ((await pointedAt(path)) === own) await rm(join(path, '.git'), { force: true })
    await rmdir(path).catch(() => {})
    await rm(own, { recursive: true, force: true })
  }
}

/** Without a process: this is for every start of the daemon, and nearly always there is nothing. */
async function commonDirAbove(directory: string): Promise<string | null> {
  for (let at = resolve(directory); ; at = dirname(at)) {
    const found = await lstat(join(at, '.git')).catch(() => null)
    if (found?.isDirectory()) return join(at, '.git')
    if (found?.isFile()) {
      const own = await pointedAt(at)
      return resolve(own, (await readFile(join(own, 'commondir'), 'utf8').catch(() => '.')).trim())
    }
    if (dirname(at) === at) return null
  }
}
