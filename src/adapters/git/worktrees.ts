import { lstat, mkdir, readdir, readFile, realpath, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { RehoboamError } from '../../contract/errors.ts'
import type { CleanWorktreeRequest } from '../../ports.ts'
import { literal } from './exclude.ts'
import { type Ground, mustHaveGround } from './git-place.ts'
import { commitId } from './locate.ts'
import { operationIn } from './repository-state.ts'
import { type Git, quoted } from './run-git.ts'

/**
 * git's own lock on a worktree, which is there from the first moment on: it keeps the user's "git worktree prune" away,
 * and tells us which ones are ours. Only those are ever reset or removed.
 */
export const OUR_LOCK = 'rehoboam: in use; rehoboam prune removes it'

// Checking out a large repository on a slow disk.
export const CHECKOUT_TIME_LIMIT_MS = 600_000

// What runs in there was written by agents, and could have told git to believe old times instead of looking.
export const LOOK_CLOSELY = [
  'core.trustctime=true',
  'core.checkStat=default',
  'core.ignoreStat=false',
  'advice.detachedHead=false',
]

/** A worktree of ours with exactly this commit in it; one that is there already is used again. */
export async function cleanWorktree(
  git: Git,
  request: CleanWorktreeRequest,
): Promise<{ path: string; reused: boolean }> {
  const { repository, keep = [] } = request
  const commit = commitId(request.commit)
  const place = await mustHaveGround(git, repository)
  await mkdir(dirname(request.path), { recursive: true, mode: 0o700 })
  const path = await realPath(request.path)

  const linked = await findLinked(place, path)
  if (linked && (await isWhole(linked, path)) && (await reset(git, linked, path, commit, keep)))
    return { path, reused: true }
  if (linked) await remove(git, place, path)
  else await mustBeFree(path)

  const words = ['worktree', 'add', '--quiet', '--detach', '--lock', '--reason', OUR_LOCK, path, commit]
  await git.run(words, { directory: place.root, timeLimitMs: CHECKOUT_TIME_LIMIT_MS, settings: LOOK_CLOSELY })
  return { path, reused: false }
}

/** Removes a worktree of ours with all that is in it. False when there was none; anybody else's is refused. */
export async function removeWorktree(git: Git, request: { repository: string; path: string }): Promise<boolean> {
  const place = await mustHaveGround(git, request.repository)
  const path = await realPath(request.path)
  if (!(await findLinked(place, path))) return false
  await remove(git, place, path)
  return true
}

/** git keeps the real path of a worktree; it may be gone while its name is still known. */
export async function realPath(path: string): Promise<string> {
  const absolute = resolve(path)
  const parent = await realpath(dirname(absolute)).catch(() => dirname(absolute))
  return join(parent, basename(absolute))
}

/** The repository's own part of a worktree of ours at this path. */
async function findLinked(place: Ground, path: string): Promise<string | null> {
  const own = await findLocked(place, path)
  if (own && (await belongsElsewhere(own, path))) throw notOurs(path)
  return own
}

/** The same, whatever an agent has made of its .git. */
export async function findLocked(place: Ground, path: string): Promise<string | null> {
  const all = join(place.commonDir, 'worktrees')
  for (const name of await readdir(all).catch(() => [])) {
    const own = join(all, name)
    const pointer = await readFile(join(own, 'gitdir'), 'utf8').catch(() => null)
    if (pointer === null || resolve(own, pointer.replace(/\n$/, '')) !== join(path, '.git')) continue
    const lock = await readFile(join(own, 'locked'), 'utf8').catch(() => '')
    if (lock.startsWith('rehoboam:')) return own
    throw notOurs(path)
  }
  return null
}

function notOurs(path: string): RehoboamError {
  return new RehoboamError('worktree-not-ours', `${path} is a worktree of yours and stays as it is`, { path })
}

/**
 * Somebody put another repository, or another worktree, in the place of ours. Ours without its .git is still ours, and so is
 * one with half of it: a power cut leaves any beginning of a file, and with it the way to a directory above.
 */
async function belongsElsewhere(own: string, path: string): Promise<boolean> {
  const file = await lstat(join(path, '.git')).catch(() => null)
  if (!file) return false
  if (!file.isFile()) return true
  const target = await pointedAt(path)
  const isTorn = target === path || own.startsWith(target)
  return !isTorn && (await lstat(target).catch(() => null)) !== null
}

async function isWhole(own: string, path: string): Promise<boolean> {
  const file = await lstat(join(path, '.git')).catch(() => null)
  return file !== null && (await pointedAt(path)) === own && (await operationIn(own)) === null
}

export async function pointedAt(path: string): Promise<string> {
  const text = await readFile(join(path, '.git'), 'utf8').catch(() => '')
  return resolve(path, text.replace(/^gitdir: /, '').replace(/\n$/, ''))
}

/** False when it could not be made clean; then it is made anew. */
async function reset(git: Git, own: string, path: string, commit: string, keep: string[]): Promise<boolean> {
  // Left by a git that was ended with its ward.
  await rm(join(own, 'index.lock'), { force: true })
  const options = { directory: path, timeLimitMs: CHECKOUT_TIME_LIMIT_MS, settings: LOOK_CLOSELY }
  const kept = keep.flatMap(name => ['-e', literal(name)])
  return (await git.script('checkout', RESET, [own, commit, ...kept], options)).code === 0
}

// Files that git was told not to look at would survive every reset: then without the index that says so. In a sparse
// checkout that is how it works. Detached first: a branch that somebody checked out in there must not be moved.
const RESET = `
own=$1 commit=$2
shift 2
if ! [ -e "$own/info/sparse-checkout" ] && git ls-files -v | grep -q '^[a-zS] '; then rm -f "$own/index"; fi
git checkout --quiet --force --detach "$commit" -- && git clean --quiet -ffdx "$@"
`

/** The files first: killed in between, the next call still finds the name and goes on. */
export async function remove(git: Git, place: Ground, path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 })
  await git.run(['worktree', 'remove', '--force', '--force', path], { directory: place.root })
}

async function mustBeFree(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null)
  if (!found || (found.isDirectory() && (await readdir(path)).length === 0)) return
  const sentence = `${path} is there already and is not a worktree of ours; look at it, then: rm -r ${quoted(path)}`
  throw new RehoboamError('worktree-taken', sentence, { path })
}
