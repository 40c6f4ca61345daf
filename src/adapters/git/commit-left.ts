import { RehoboamError } from '../../contract/errors.ts'
import type { Checkpoint, CommitLeftRequest, WorkRequest } from '../../ports.ts'
import { commitTree, find, ownMessage } from './checkpoint.ts'
import type { Place } from './locate.ts'
import { branchRef, childOf, isAncestor, tipOf, treeAt } from './own-branch.ts'
import { refOf, refsOf } from './refs.ts'
import type { Git, GitResult } from './run-git.ts'
import { backOnBranch, workPlace } from './work-worktree.ts'
import { listUntracked, writeTree } from './working-tree.ts'

/**
 * What an agent left in a worktree, as a commit on the worktree's branch, after whatever it committed itself. Wherever
 * it went with its HEAD, that is in the history too: nothing of it is lost. The same commit is a checkpoint.
 */
export async function commitLeft(git: Git, request: CommitLeftRequest): Promise<Checkpoint> {
  const place = await mustHavePlace(git, request)
  const { branch, iteration } = request
  const ref = refOf(childOf(branch), iteration)
  const directory = place.root
  // Each of these is a process: together they take as long as one.
  const [kept, tip, untracked] = await Promise.all([
    find(git, directory, ref),
    tipOf(git, { directory, branch }),
    listUntracked(git, directory),
  ])
  const made = kept ? { ...kept, isPlaced: false } : await write(git, place, request, { ref, tip, untracked })
  if (!made.isPlaced) await putOnRefs(git, place, request, { commit: made.commit, ref: kept ? null : ref, tip })
  await backOnBranch(git, place, request)
  const { commit, tree, leftOut } = made
  return { commit, tree, leftOut }
}

export async function mustHavePlace(git: Git, request: WorkRequest): Promise<Place> {
  const place = await workPlace(git, request)
  if (place) return place
  throw new RehoboamError('worktree-gone', `the worktree ${request.path} is gone`, { path: request.path })
}

type Left = Checkpoint & { isPlaced: boolean }

async function write(
  git: Git,
  place: Place,
  request: CommitLeftRequest,
  { ref, tip, untracked }: { ref: string; tip: string | null; untracked: GitResult },
): Promise<Left> {
  const { tree, leftOut } = await writeTree(git, place, untracked)
  const parents = await parentsOf(git, place, request, tip)
  const [only] = parents
  if (parents.length === 1 && (await treeAt(git, { directory: place.root, commit: only! })) === tree) {
    return { commit: only!, tree, leftOut, isPlaced: false }
  }
  const message = ownMessage({ ...request, ...request.branch }, leftOut)
  const words = [tree, message, branchRef(request.branch), tip ?? none(tree), ref]
  const given = parents.flatMap(parent => ['-p', parent])
  const options = { directory: place.root, settings: ['user.useConfigOnly=true'] }
  const placed = await git.together(COMMIT, [...words, ...given], options)
  if (placed) return { commit: placed.trim(), tree, leftOut, isPlaced: true }
  return { commit: await commitTree(git, place, tree, parents, message), tree, leftOut, isPlaced: false }
}

// As one process: whoever is killed in between leaves no commit that nothing leads to.
const COMMIT = `
tree=$1 message=$2 branch=$3 tip=$4 ref=$5
shift 5
commit=$(git commit-tree "$tree" "$@" -m "$message") &&
printf 'update %s %s %s\\ncreate %s %s\\n' "$branch" "$commit" "$tip" "$ref" "$commit" | git update-ref --stdin &&
echo "$commit"
`

/** Step by step, where it could not be done at once, or was done in part before. */
async function putOnRefs(
  git: Git,
  { root: directory }: Place,
  { branch }: CommitLeftRequest,
  { commit, ref, tip }: { commit: string; ref: string | null; tip: string | null },
): Promise<void> {
  const isOnBranch = tip !== null && (await isAncestor(git, { directory, commit, of: tip }))
  const moves = [
    ...(isOnBranch ? [] : [`update ${branchRef(branch)}\0${commit}\0${tip ?? none(commit)}\0`]),
    ...(ref === null ? [] : [`create ${ref}\0${commit}\0`]),
  ]
  if (moves.length > 0) await git.run(['update-ref', '-z', '--stdin'], { directory, input: moves.join('') })
}

/** The branch, and where its agent went with its HEAD. A branch that it deleted goes on from its last checkpoint. */
async function parentsOf(
  git: Git,
  { root: directory, head }: Place,
  { branch }: CommitLeftRequest,
  tip: string | null,
): Promise<string[]> {
  const last = tip ?? (await refsOf(git, { directory, run: childOf(branch) })).at(-1)?.commit ?? null
  if (last === null || head === null) return [last ?? head].filter(commit => commit !== null)
  if (await isAncestor(git, { directory, commit: head, of: last })) return [last]
  return (await isAncestor(git, { directory, commit: last, of: head })) ? [head] : [last, head]
}

/** git's word for a ref that is not there. */
function none(commit: string): string {
  return '0'.repeat(commit.length)
}
