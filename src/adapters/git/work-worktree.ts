import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { RehoboamError } from '../../contract/errors.ts'
import type { OwnBranch, WorkRequest, WorkWorktree } from '../../ports.ts'
import { type Ground, mustHaveGround, remember } from './git-place.ts'
import { commitId, isCommit } from './locate.ts'
import { OUR_PREFIX } from './ours.ts'
import { branchName, branchRef, checkedOutAt, childOf, mustNotBlock, openBranch } from './own-branch.ts'
import { refOf, refsUnder } from './refs.ts'
import { operationIn } from './repository-state.ts'
import { failure, type Git, quoted } from './run-git.ts'
import { CHECKOUT_TIME_LIMIT_MS, findLocked, LOOK_CLOSELY, OUR_LOCK, pointedAt, realPath, remove } from './worktrees.ts'

/** Beside git's own files of a worktree: all of it was checked out. */
export const WHOLE = 'rehoboam-whole'

// A worker's branch is new with its worktree, and has its first checkpoint at once: what it begins with. A place that was
// given back before anybody came has left an older one.
const MAKE = `
path=$1 name=$2 base=$3 ref=$4 reason=$5
add() { git worktree add --quiet --lock --reason "$reason" "$@"; }
if tip=$(git rev-parse --verify --quiet "refs/heads/$name^{commit}"); then
  add "$path" "$name" && echo "$tip"
else
  add --no-track -b "$name" "$path" "$base" && echo "$base" &&
  if [ "$ref" ]; then
    { git update-ref "$ref" "$base" '' 2>/dev/null ||
      { git merge-base --is-ancestor "$ref" "$base" && git update-ref "$ref" "$base"; }; } &&
    git rev-parse --verify "$base^{tree}" || :
  fi
fi
`

/**
 * A worktree of ours on its branch, which is made from `base` when it is not there. What an agent left in one that is
 * there stays; what stands there and is nobody's is moved aside.
 */
export async function workWorktree(
  git: Git,
  request: WorkRequest & { base: string | null; isUntouched?: boolean },
): Promise<WorkWorktree> {
  const { repository, branch, isUntouched = false } = request
  const place = await mustHaveGround(git, repository)
  await mkdir(dirname(request.path), { recursive: true, mode: 0o700 })
  const path = await realPath(request.path)
  const openAt = async (base: string | null) => (await openBranch(git, { directory: repository, branch, base })).commit
  const own = await mended(git, place, path)
  if (own) {
    const { base } = request
    const moved = isUntouched && base !== null ? await movedTo(git, { root: path, gitDir: own }, branch, base) : null
    return moved
      ? { path, ...moved }
      : { path, tip: (await looseTip(place, branch)) ?? (await openAt(base)), tree: null }
  }
  await moveAside(path)
  const base = request.base ?? (await openAt(null))
  const options = { directory: place.root, timeLimitMs: CHECKOUT_TIME_LIMIT_MS, settings: LOOK_CLOSELY }
  const ref = branch.task === null ? '' : refOf(childOf(branch), 0)
  const words = [path, branchName(branch), commitId(base), ref, OUR_LOCK]
  const made = await git.script('worktree', MAKE, words, options)
  if (made.code !== 0) {
    mustNotBlock(made.err, branch)
    const at = await checkedOutAt(git, place.root, branchRef(branch))
    if (at === null) throw failure(['worktree'], place.root, made)
    const sentence = `${branchName(branch)} is checked out in ${at}, and a branch has one place only; there: git switch --detach`
    throw new RehoboamError('branch-in-use', `${sentence} (cd ${quoted(at)})`, { at })
  }
  const gitDir = (await findLocked(place, path))!
  await writeFile(join(gitDir, WHOLE), '')
  await remember(git, path, { root: path, gitDir, commonDir: place.commonDir })
  const [tip = '', tree = ''] = made.out.toString('utf8').split('\n')
  return { path, tip, tree: tree || null }
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
  const { code, out } = await git.script('reset', MOVE, words, options)
  return code === 0 ? { tip: base, tree: out.toString('utf8').trim() } : null
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
export async function backOnBranch(git: Git, place: Ground, request: WorkRequest): Promise<void> {
  const script = `branch=$1 operation=$2 stray=$3${BACK}back`
  const options = { directory: place.root, timeLimitMs: CHECKOUT_TIME_LIMIT_MS, settings: LOOK_CLOSELY }
  await git.runScript('reset', script, await backWords(place, request), options)
}

/** What BACK is told: the branch, what somebody is in the middle of, and whether HEAD is elsewhere. */
export async function backWords({ gitDir }: Ground, request: WorkRequest): Promise<string[]> {
  const operation = await operationIn(gitDir)
  const isStray = operation !== null || !(await isOnBranch(gitDir, request))
  return [branchRef(request.branch), operation ?? '', isStray ? 'stray' : '']
}

// The files are committed as they are, so the next session must not start in the middle of a merge or rebase. A process that
// an agent left running may hold the lock of the index for a moment.
export const BACK = `
back() {
  case $operation in
    '') ;;
    bisect) git bisect reset HEAD ;;
    *) git "$operation" --quit ;;
  esac >/dev/null 2>&1
  [ -z "$stray" ] || git symbolic-ref HEAD "$branch" || return
  git reset --mixed --quiet || { sleep 1 && git reset --mixed --quiet; }
}
`

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
