import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { RehoboamError } from '../../contract/errors.ts'
import type { WorkRequest } from '../../ports.ts'
import { mustLocate, type Place } from './locate.ts'
import { operationIn } from './look.ts'
import { OUR_PREFIX } from './ours.ts'
import { branchName, branchRef, checkedOutAt } from './own-branch.ts'
import { failure, type Git, quoted } from './run-git.ts'
import { CHECKOUT_TIME_LIMIT_MS, findLocked, LOOK_CLOSELY, OUR_LOCK, pointedAt, realPath, remove } from './worktrees.ts'

/** Beside git's own files of a worktree: all of it was checked out. */
const WHOLE = 'rehoboam-whole'

/** A worktree of ours on its branch. What an agent left in one that is there stays; what stands there and is nobody's is moved aside. */
export async function workWorktree(git: Git, request: WorkRequest): Promise<{ path: string }> {
  const { repository, branch } = request
  const place = await mustLocate(git, repository)
  await mkdir(dirname(request.path), { recursive: true, mode: 0o700 })
  const path = await realPath(request.path)
  if (await mended(git, place, path)) return { path }
  await moveAside(path)
  const words = ['worktree', 'add', '--quiet', '--lock', '--reason', OUR_LOCK, path, branchName(branch)]
  const options = { directory: place.root, timeLimitMs: CHECKOUT_TIME_LIMIT_MS, settings: LOOK_CLOSELY }
  const added = await git.attempt(words, options)
  if (added.code === 0) {
    const own = await findLocked(place, path)
    await writeFile(join(own!, WHOLE), '')
    return { path }
  }
  const at = await checkedOutAt(git, place.root, branchRef(branch))
  if (at === null) throw failure(words, place.root, added)
  const sentence = `${branchName(branch)} is checked out in ${at}, and a branch has one place only; there: git switch --detach`
  throw new RehoboamError('branch-in-use', `${sentence} (cd ${quoted(at)})`, { at })
}

/** The worktree at this path as git sees it, mended; null when there is none. */
export async function workPlace(
  git: Git,
  request: Pick<WorkRequest, 'repository' | 'path'>,
  repository?: Place,
): Promise<Place | null> {
  const place = repository ?? (await mustLocate(git, request.repository))
  const path = await realPath(request.path)
  return (await mended(git, place, path)) ? mustLocate(git, path) : null
}

/** What an agent may do in there: remove or replace its .git, switch branches, stop in the middle of a rebase. */
async function mended(git: Git, place: Place, path: string): Promise<boolean> {
  const own = await findLocked(place, path)
  if (!own) return false
  const isThere = (await lstat(path).catch(() => null))?.isDirectory() ?? false
  // One that was cut off while it was made holds nothing of anybody's.
  if (!isThere || !(await exists(join(own, WHOLE)))) {
    await remove(git, place, path)
    return false
  }
  const pointer = await lstat(join(path, '.git')).catch(() => null)
  if (!pointer?.isFile() || (await pointedAt(path)) !== own) {
    if (pointer) await rename(join(path, '.git'), await freeName(join(path, `${OUR_PREFIX}-was-git`)))
    await writeFile(join(path, '.git'), `gitdir: ${own}\n`)
  }
  await rm(join(own, 'index.lock'), { force: true })
  await rm(join(own, 'HEAD.lock'), { force: true })
  if (!(await exists(join(own, 'index')))) await git.run(['read-tree', 'HEAD'], { directory: path })
  return true
}

/** Its HEAD is its branch again and its index is the branch's tip, so that what is in the files now is what git shows. */
export async function backOnBranch(git: Git, { root, gitDir }: Place, request: WorkRequest): Promise<void> {
  const operation = await operationIn(gitDir)
  // The files are committed as they are; whoever works there next must not be in the middle of something.
  if (operation === 'bisect') await git.attempt(['bisect', 'reset', 'HEAD'], { directory: root })
  else if (operation) await git.attempt([operation, '--quit'], { directory: root })
  const ref = branchRef(request.branch)
  const head = await readFile(join(gitDir, 'HEAD'), 'utf8').catch(() => '')
  if (head !== `ref: ${ref}\n`) await git.run(['symbolic-ref', 'HEAD', ref], { directory: root })
  await git.run(['reset', '--mixed', '--quiet'], {
    directory: root,
    timeLimitMs: CHECKOUT_TIME_LIMIT_MS,
    settings: LOOK_CLOSELY,
  })
}

/** The same with the files: only where nothing is uncommitted. */
export async function resetToBranch(git: Git, { root }: Place): Promise<void> {
  const options = { directory: root, timeLimitMs: CHECKOUT_TIME_LIMIT_MS, settings: LOOK_CLOSELY }
  await git.run(['reset', '--hard', '--quiet'], options)
}

async function moveAside(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null)
  if (!found || (found.isDirectory() && (await readdir(path)).length === 0)) return
  await rename(path, await freeName(`${path}-aside`))
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null
}

async function freeName(path: string): Promise<string> {
  for (let n = 1; ; n++) {
    const name = n === 1 ? path : `${path}-${n}`
    if (!(await exists(name))) return name
  }
}
