import { lstat, readdir, readFile, rm, rmdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { RehoboamError } from '../../contract/errors.ts'
import { rootOf } from '../../contract/ids.ts'
import { environmentOf, isAlive, withEnvironment } from '../process-table.ts'
import { GIT_BY, GIT_OF, type Git } from './run-git.ts'
import { WHOLE } from './work-worktree.ts'
import { INDEX_COPY } from './working-tree.ts'
import { pointedAt } from './worktrees.ts'

const ANSWERS_WITHIN_MS = 2_000
/** Namespaces that hold only our own refs: checkpoints, branches of runs, branches of workers. */
const OWN_REFS = ['refs/rehoboam', 'refs/heads/rehoboam', 'refs/heads/rehoboam-work']

// Too short: two gits work on one worktree or ref, and one of them fails (bad). Too long: runs continue later (cheap).
const GIT_ENDS_WITHIN_MS = 30_000
const LOOK_EVERY_MS = 20

/**
 * Removes what a killed daemon left behind: copies of an index, and in the repositories of these runs half made worktrees
 * and locks on refs. Waits first until the git processes of that daemon have ended. Ending them here could cut off a merge
 * into somebody's checkout. Throws, and removes nothing, when one of them still runs after 30 seconds.
 */
export async function dropLeftovers(git: Git, works: { run: string; directory: string }[]): Promise<void> {
  await waitForOrphanedGit(git.home)
  await dropIndexCopies()
  // A project on a mount that does not answer must not keep all others from going on.
  const inTime = (directory: string) =>
    Promise.race([commonDirAbove(directory), delay(ANSWERS_WITHIN_MS, null, { ref: false })])
  const directories = new Set(works.map(({ directory }) => directory))
  const repositories = await Promise.all([...directories].map(inTime))
  const runs = new Set(works.map(({ run }) => run))
  for (const common of new Set(repositories)) {
    if (!common) continue
    await dropCutOff(common)
    await dropRefLocks(common, runs)
  }
}

/** Waits until the git processes that another daemon started for this state directory have ended. Finds them on Linux only. */
async function waitForOrphanedGit(home: string): Promise<void> {
  const isOfAnother = (pid: number) => environmentOf(pid)[GIT_BY] !== String(process.pid)
  const left = (await withEnvironment(`${GIT_OF}=${home}`)).filter(isOfAnother)
  const deadline = performance.now() + GIT_ENDS_WITHIN_MS
  for (;;) {
    const pid = left.find(isAlive)
    if (pid === undefined) return
    if (performance.now() > deadline) {
      const sentence = `git of a daemon that was killed still runs as process ${pid}; end it when it hangs: kill ${pid}`
      throw new RehoboamError('git-timed-out', sentence, { pid })
    }
    await delay(LOOK_EVERY_MS)
  }
}

/** A git that is killed with its daemon leaves the lock of the ref that it was writing, and nothing can write that ref again. */
async function dropRefLocks(common: string, runs: Set<string>): Promise<void> {
  for (const refs of OWN_REFS) {
    const names = await readdir(join(common, refs), { recursive: true }).catch(() => [])
    // Every name begins with the id of its run.
    for (const name of names.filter(one => one.endsWith('.lock') && runs.has(rootOf(one)))) {
      const lock = join(common, refs, name)
      const lockedAt = (await stat(lock).catch(() => null))?.mtimeMs ?? Number.POSITIVE_INFINITY
      // A younger lock belongs to a git that this daemon started.
      if (lockedAt < performance.timeOrigin) await rm(lock, { force: true })
    }
  }
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
