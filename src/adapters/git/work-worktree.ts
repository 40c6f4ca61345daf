import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { RehoboamError } from '../../contract/errors.ts'
import type { OwnBranch, WorkRequest, WorkWorktree } from '../../ports.ts'
import { type Ground, mustHaveGround, remember } from './ground.ts'
import { commitId, isCommit } from './locate.ts'
import { operationIn } from './look.ts'
import { OUR_PREFIX } from './ours.ts'
import { branchName, branchRef, checkedOutAt, childOf, openBranch } from './own-branch.ts'
import { refOf, refsUnder } from './refs.ts'
import { failure, type Git, quoted } from './run-git.ts'
import { CHECKOUT_TIME_LIMIT_MS, findLocked, LOOK_CLOSELY, OUR_LOCK, pointedAt, realPath, remove } from './worktrees.ts'

/** Beside git's own files of a worktree: all of it was checked out. */
export const WHOLE = 'rehoboam-whole'

const ADD = ['worktree', 'add', '--quiet', '--lock', '--reason', OUR_LOCK]

// With its first checkpoint, which is what its branch begins with.
const MAKE = `
path=$1 branch=$2 base=$3 ref=$4 reason=$5
git worktree add --quiet --lock --reason "$reason" --no-track -b "$branch" "$path" "$base" &&
git update-ref "$ref" "$base" '' &&
git rev-parse --verify "$base^{tree}"
`

/**
 * A worktree of ours on its branch, which is made from `base` when it is not there. What an agent left in one that is
 * there stays; what stands there and is nobody's is moved aside.
 */
export async function workWorktree(
  git: Git,
  request: WorkRequest & { base: string | null; isUntouched?: boolean },
): Promise<WorkWorktree> {
  const { repository, branch, base, isUntouched = false } = request
  const place = await mustHaveGround(git, repository)
  await mkdir(dirname(request.path), { recursive: true, mode: 0o700 })
  const path = await realPath(request.path)
  const tipNow = async () => (await openBranch(git, { directory: repository, branch, base })).commit
  const own = await mended(git, place, path)
  if (own) {
    const moved = isUntouched && base !== null ? await movedTo(git, { root: path, gitDir: own }, branch, base) : null
    return moved ? { path, ...moved } : { path, tip: (await looseTip(place, branch)) ?? (await tipNow()), tree: null }
  }
  await moveAside(path)
  const options = { directory: place.root, timeLimitMs: CHECKOUT_TIME_LIMIT_MS, settings: LOOK_CLOSELY }
  const whole = async () => {
    const gitDir = (await findLocked(place, path))!
    await writeFile(join(gitDir, WHOLE), '')
    await remember(git, path, { root: path, gitDir, commonDir: place.commonDir })
  }
  // A worker's branch is new with its worktree: one process makes both. Cut off or refused, it is done step by step.
  if (base !== null && branch.task !== null) {
    const words = [path, branchName(branch), commitId(base), refOf(childOf(branch), 0), OUR_LOCK]
    const tree = (await git.together(MAKE, words, options))?.trim() ?? ''
    if (isCommit(tree)) {
      await whole()
      return { path, tip: base, tree }
    }
    await mended(git, place, path)
  }
  const tip = await tipNow()
  const words = [...ADD, path, branchName(branch)]
  const added = await git.attempt(words, options)
  if (added.code === 0) {
    await whole()
    return { path, tip, tree: null }
  }
  const at = await checkedOutAt(git, place.root, branchRef(branch))
  if (at === null) throw failure(words, place.root, added)
  const sentence = `${branchName(branch)} is checked out in ${at}, and a branch has one place only; there: git switch --detach`
  throw new RehoboamError('branch-in-use', `${sentence} (cd ${quoted(at)})`, { at })
}

/** Where a branch stands that was moved lately, without asking git; null where that is kept elsewhere. */
async function looseTip({ commonDir }: Ground, branch: OwnBranch): Promise<string | null> {
  const text = await readFile(join(commonDir, branchRef(branch)), 'utf8').catch(() => '')
  return isCommit(text.trimEnd()) ? text.trimEnd() : null
}

/**
 * One that was made ahead of whoever will work there, brought to where its branch begins now. Files that differ are what its
 * setup wrote, such as a lock file; should they be anybody's after all, a ref of ours has them. Null: there are commits on its
 * branch, or it is there already and only its setup was.
 */
async function movedTo(
  git: Git,
  { root, gitDir }: Pick<Ground, 'root' | 'gitDir'>,
  branch: OwnBranch,
  base: string,
): Promise<{ tip: string; tree: string } | null> {
  if (branch.task === null || !(await isOnBranch(gitDir, { branch })) || (await operationIn(gitDir))) return null
  const options = { directory: root, timeLimitMs: CHECKOUT_TIME_LIMIT_MS, settings: LOOK_CLOSELY }
  const words = [branchRef(branch), commitId(base), refOf(childOf(branch), 0), `${refsUnder(childOf(branch))}/moved`]
  const tree = (await git.together(MOVE, words, options))?.trim() ?? ''
  return isCommit(tree) ? { tip: base, tree } : null
}

const MOVE = `
branch=$1 base=$2 ref=$3 moved=$4
git merge-base --is-ancestor "$branch" "$base" &&
tip=$(git rev-parse --verify "$branch^{commit}") &&
state=$(git status --porcelain --untracked-files=no) &&
if [ -n "$state" ]; then
  [ "$tip" != "$base" ] && kept=$(git stash create) && [ -n "$kept" ] && git update-ref "$moved" "$kept"
fi &&
git reset --hard --quiet "$base" &&
git update-ref "$ref" "$base" &&
git rev-parse --verify "$base^{tree}"
`

/** The worktree at this path, mended; null when there is none. */
export async function workPlace(git: Git, request: Pick<WorkRequest, 'repository' | 'path'>): Promise<Ground | null> {
  const place = await mustHaveGround(git, request.repository)
  const root = await realPath(request.path)
  const gitDir = await mended(git, place, root)
  return gitDir === null ? null : { root, gitDir, commonDir: place.commonDir }
}

/** The repository's own part of it. What an agent may do in there: remove or replace its .git, switch branches, stop in the middle of a rebase. */
async function mended(git: Git, place: Ground, path: string): Promise<string | null> {
  const own = await findLocked(place, path)
  if (!own) return null
  const isThere = (await lstat(path).catch(() => null))?.isDirectory() ?? false
  // One that was cut off while it was made holds nothing of anybody's.
  if (!isThere || !(await exists(join(own, WHOLE)))) {
    await remove(git, place, path)
    return null
  }
  const pointer = await lstat(join(path, '.git')).catch(() => null)
  if (!pointer?.isFile() || (await pointedAt(path)) !== own) {
    if (pointer) await rename(join(path, '.git'), await freeName(join(path, `${OUR_PREFIX}-was-git`)))
    await writeFile(join(path, '.git'), `gitdir: ${own}\n`)
  }
  await rm(join(own, 'index.lock'), { force: true })
  await rm(join(own, 'HEAD.lock'), { force: true })
  if (!(await exists(join(own, 'index')))) await git.run(['read-tree', 'HEAD'], { directory: path })
  return own
}

/** Its HEAD is its branch again and its index is the branch's tip, so that what is in the files now is what git shows. */
export async function backOnBranch(git: Git, { root, gitDir }: Ground, request: WorkRequest): Promise<void> {
  const operation = await operationIn(gitDir)
  // The files are committed as they are; whoever works there next must not be in the middle of something.
  if (operation === 'bisect') await git.attempt(['bisect', 'reset', 'HEAD'], { directory: root })
  else if (operation) await git.attempt([operation, '--quit'], { directory: root })
  if (!(await isOnBranch(gitDir, request)))
    await git.run(['symbolic-ref', 'HEAD', branchRef(request.branch)], { directory: root })
  await git.run(['reset', '--mixed', '--quiet'], {
    directory: root,
    timeLimitMs: CHECKOUT_TIME_LIMIT_MS,
    settings: LOOK_CLOSELY,
  })
}

export async function isOnBranch(gitDir: string, { branch }: Pick<WorkRequest, 'branch'>): Promise<boolean> {
  const head = await readFile(join(gitDir, 'HEAD'), 'utf8').catch(() => '')
  return head === `ref: ${branchRef(branch)}\n`
}

/** The same with the files: only where nothing is uncommitted. */
export async function resetToBranch(git: Git, { root }: Ground): Promise<void> {
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
