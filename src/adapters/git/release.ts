import type { Released, WorkRequest } from '../../ports.ts'
import { type Ground, mustHaveGround } from './ground.ts'
import { branchName, branchRef, checkedOutAt, childOf, isAncestor, tipOf, treeAt } from './own-branch.ts'
import { refsUnder } from './refs.ts'
import type { Git } from './run-git.ts'
import { isOnBranch, WHOLE, workPlace } from './work-worktree.ts'
import { listUntracked, writeTree } from './working-tree.ts'
import { CHECKOUT_TIME_LIMIT_MS, LOOK_CLOSELY, realPath, remove } from './worktrees.ts'

/**
 * Removes a worktree, then a worker's branch. Before the first of these every commit that they hold is proven to be
 * on the result branch or on a ref of ours, and all files to be in one of these commits. What cannot be proven stays.
 */
export async function release(git: Git, request: WorkRequest): Promise<Released> {
  const { repository, branch } = request
  const place = await mustHaveGround(git, repository)
  const directory = place.root
  const work = await workPlace(git, request)
  if (work && branch.task !== null && (await atOnce(git, place, work, request))) return { removed: true }
  const tip = await tipOf(git, { directory, branch })
  if (work) {
    const head = await headOf(git, work)
    const { tree, leftOut } = await writeTree(git, { ...work, head, at: null }, await listUntracked(git, work.root))
    const [lost] = leftOut
    if (lost) return { removed: false, why: `${JSON.stringify(lost.path)} is in no commit (${lost.why})` }
    const holder = tip ?? head
    const committed = holder && (await treeAt(git, { directory, commit: holder }))
    if (committed !== tree) return { removed: false, why: 'files in it are in no commit yet' }
    if (head && head !== tip) await keep(git, directory, request, head, 'head')
  }
  if (tip) await keep(git, directory, request, tip, 'tip')
  if (work) await remove(git, place, await realPath(request.path))
  if (branch.task === null || !tip) return { removed: true }
  const at = await checkedOutAt(git, directory, branchRef(branch))
  if (at !== null) return { removed: false, why: `${branchName(branch)} is checked out in ${at}` }
  // With the commit that was proven: a branch that moved meanwhile stays.
  await git.run(['update-ref', '-d', branchRef(branch), tip], { directory })
  return { removed: true }
}

/**
 * As one process, for a worker whose branch is merged as it stands and whose files are those of its branch. False: nothing was
 * removed, or not all of it; it is done step by step, and said why where it must stay.
 */
async function atOnce(git: Git, { root: directory }: Ground, work: Ground, request: WorkRequest): Promise<boolean> {
  if (!(await isOnBranch(work.gitDir, request))) return false
  const { branch } = request
  const result = branchRef({ run: branch.run, task: null })
  const words = [work.root, work.gitDir, branchRef(branch), result]
  const options = { directory, timeLimitMs: CHECKOUT_TIME_LIMIT_MS, settings: LOOK_CLOSELY }
  return (await git.together(RELEASE, words, options)) !== null
}

// Without its mark it holds nothing of anybody's: cut off in the middle, the rest of it is removed the next time.
const RELEASE = `
path=$1 own=$2 branch=$3 result=$4
tip=$(git rev-parse --verify --quiet "$branch^{commit}") &&
git merge-base --is-ancestor "$tip" "$result" &&
state=$(git -C "$path" status --porcelain --untracked-files=all) && [ -z "$state" ] &&
rm "$own/${WHOLE}" &&
git worktree remove --force --force "$path" &&
[ -z "$(git for-each-ref --format='%(worktreepath)' "$branch")" ] &&
git update-ref -d "$branch" "$tip"
`

async function headOf(git: Git, { root: directory }: Ground): Promise<string | null> {
  const { code, out } = await git.attempt(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { directory })
  return code === 0 ? out.toString('utf8').trim() : null
}

/** On a ref of ours, unless the result branch or such a ref has it already. */
async function keep(git: Git, directory: string, { branch }: WorkRequest, commit: string, name: string) {
  const result = await tipOf(git, { directory, branch: { run: branch.run, task: null } })
  if (result && (await isAncestor(git, { directory, commit, of: result }))) return
  const under = refsUnder(childOf(branch))
  const words = ['for-each-ref', '--count=1', '--format=%(refname)', `--contains=${commit}`, under]
  if (await git.line(words, { directory })) return
  await git.run(['update-ref', `${under}/${name}`, commit], { directory })
}
