import { RehoboamError } from '../../contract/errors.ts'
import type { Checkpoint, CommitLeftRequest, WorkRequest } from '../../ports.ts'
import { find, ownMessage } from './checkpoint.ts'
import type { Ground } from './git-place.ts'
import { isCommit } from './locate.ts'
import { branchRef, childOf, isAncestor, rememberTree, treeAt } from './own-branch.ts'
import { refOf, refsOf } from './refs.ts'
import type { Git } from './run-git.ts'
import { BACK, backOnBranch, backWords, isOnBranch, workPlace } from './work-worktree.ts'
import { runWithTree } from './working-tree.ts'
import { LOOK_CLOSELY } from './worktrees.ts'

/**
 * What an agent left in a worktree, as a commit on the worktree's branch, after whatever it committed itself. Wherever
 * it went with its HEAD, that is in the history too: nothing of it is lost. The same commit is a checkpoint.
 */
export async function commitLeft(git: Git, request: CommitLeftRequest): Promise<Checkpoint> {
  const place = await mustHavePlace(git, request)
  const ref = refOf(childOf(request.branch), request.iteration)
  const seen = await look(git, place, request, ref)
  const made = seen.isKept
    ? await finish(git, place, request, { ref, tip: seen.tip })
    : await commit(git, place, request, { ref, seen })
  rememberTree(made)
  return made
}

export async function mustHavePlace(git: Git, request: WorkRequest): Promise<Ground> {
  const place = await workPlace(git, request)
  if (place) return place
  throw new RehoboamError('worktree-gone', `the worktree ${request.path} is gone`, { path: request.path })
}

type Seen = {
  head: string | null
  tip: { commit: string; tree: string } | null
  /** This very checkpoint is there already. */
  isKept: boolean
}

async function look(git: Git, { root, gitDir }: Ground, request: CommitLeftRequest, ref: string): Promise<Seen> {
  const { branch } = request
  const isOnIt = await isOnBranch(gitDir, request)
  const words = [branchRef(branch), ref, isOnIt ? '' : 'head']
  const [head = '', ...refs] = (await git.runScript('for-each-ref', LOOK, words, { directory: root })).split('\n')
  const named = (name: string) => refs.map(line => line.split(' ')).find(([is]) => is === name)
  const [, commit = '', tree = ''] = named(branchRef(branch)) ?? []
  const tip = isCommit(commit) && isCommit(tree) ? { commit, tree } : null
  return {
    head: isOnIt ? (tip?.commit ?? null) : isCommit(head) ? head : null,
    tip,
    isKept: named(ref) !== undefined,
  }
}

const LOOK = `
if [ "$3" ]; then git rev-parse --verify --quiet 'HEAD^{commit}' || echo none; else echo branch; fi
git for-each-ref --format='%(refname) %(objectname) %(tree)' "$1" "$2"
`

/** Makes commit, branch and checkpoint in one process, so that a daemon that is killed leaves no commit without a ref. */
async function commit(
  git: Git,
  place: Ground,
  request: CommitLeftRequest,
  { ref, seen }: { ref: string; seen: Seen },
): Promise<Checkpoint> {
  const { tip } = seen
  const { root: directory } = place
  const parents = await parentsOf(git, place, request, seen)
  const [only = ''] = parents.length === 1 ? parents : []
  // Where nothing was left, the branch's own last commit is the checkpoint.
  const same = only === tip?.commit ? tip.tree : only && (await treeAt(git, { directory, commit: only }))
  const back = await backWords(place, request)
  const { said, leftOut } = await runWithTree(git, place, {
    script: BACK + COMMIT,
    words: [ref, tip?.commit ?? '', same, only, ...back, ...parents.flatMap(parent => ['-p', parent])],
    message: leftOut => ownMessage({ ...request, ...request.branch }, leftOut),
    settings: LOOK_CLOSELY,
  })
  const [tree = '', made = ''] = said.split(' ')
  return { commit: made, tree, leftOut }
}

const COMMIT = `
ref=$1 tip=$2 same=$3 only=$4 branch=$5 operation=$6 stray=$7
shift 7
if [ "$tree" = "$same" ]; then commit=$only; else commit=$(commit_tree "$tree" "$@" -F "$own/message") || exit 1; fi
{
  if [ -z "$tip" ]; then echo "create $branch $commit"; elif [ "$tip" != "$commit" ]; then echo "update $branch $commit $tip"; fi
  echo "create $ref $commit"
} | git update-ref --stdin || exit 1
unset GIT_INDEX_FILE
back && echo "$tree $commit"
`

/** Brings branch and worktree to a checkpoint that a daemon had made before it was killed. */
async function finish(
  git: Git,
  place: Ground,
  request: CommitLeftRequest,
  { ref, tip }: { ref: string; tip: Seen['tip'] },
): Promise<Checkpoint> {
  const directory = place.root
  const kept = await find(git, directory, ref)
  if (!kept) throw new RehoboamError('git-failed', `git cannot read ${ref} in ${directory}`)
  const { commit } = kept
  const isOnIt = tip !== null && (await isAncestor(git, { directory, commit, of: tip.commit }))
  const words = ['update-ref', branchRef(request.branch), commit, tip?.commit ?? '0'.repeat(commit.length)]
  if (!isOnIt) await git.run(words, { directory })
  await backOnBranch(git, place, request)
  return kept
}

/** The branch, and where its agent went with its HEAD. A branch that it deleted goes on from its last checkpoint. */
async function parentsOf(
  git: Git,
  { root: directory }: Ground,
  { branch }: CommitLeftRequest,
  { head, tip }: Seen,
): Promise<string[]> {
  const last = tip?.commit ?? (await refsOf(git, { directory, run: childOf(branch) })).at(-1)?.commit ?? null
  if (last === null || head === null) return [last ?? head].filter(commit => commit !== null)
  if (await isAncestor(git, { directory, commit: head, of: last })) return [last]
  return (await isAncestor(git, { directory, commit: last, of: head })) ? [head] : [last, head]
}
