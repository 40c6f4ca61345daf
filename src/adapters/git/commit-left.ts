import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RehoboamError } from '../../contract/errors.ts'
import type { Checkpoint, CommitLeftRequest, WorkRequest } from '../../ports.ts'
import { commitTree, find, ownMessage } from './checkpoint.ts'
import type { Ground } from './ground.ts'
import { isCommit } from './locate.ts'
import { operationIn } from './look.ts'
import { branchRef, childOf, isAncestor, rememberTree, treeAt } from './own-branch.ts'
import { refOf, refsOf } from './refs.ts'
import { failure, type Git, type GitResult } from './run-git.ts'
import { backOnBranch, isOnBranch, workPlace } from './work-worktree.ts'
import { everything, inOwnIndex, isSparse, writeTree } from './working-tree.ts'
import { LOOK_CLOSELY } from './worktrees.ts'

/**
 * What an agent left in a worktree, as a commit on the worktree's branch, after whatever it committed itself. Wherever
 * it went with its HEAD, that is in the history too: nothing of it is lost. The same commit is a checkpoint.
 */
export async function commitLeft(git: Git, request: CommitLeftRequest): Promise<Checkpoint> {
  const place = await mustHavePlace(git, request)
  const ref = refOf(childOf(request.branch), request.iteration)
  const seen = await look(git, place, request, ref)
  const made = (await atOnce(git, place, request, { ref, seen })) ?? (await stepByStep(git, place, request, ref))
  const { commit, tree, leftOut } = made
  rememberTree(made)
  return { commit, tree, leftOut }
}

export async function mustHavePlace(git: Git, request: WorkRequest): Promise<Ground> {
  const place = await workPlace(git, request)
  if (place) return place
  throw new RehoboamError('worktree-gone', `the worktree ${request.path} is gone`, { path: request.path })
}

type Seen = {
  head: string | null
  /** Its HEAD is its branch. */
  isOnIt: boolean
  tip: { commit: string; tree: string } | null
  /** This very checkpoint is there already. */
  isKept: boolean
  untracked: GitResult
}

async function look(git: Git, { root, gitDir }: Ground, request: CommitLeftRequest, ref: string): Promise<Seen> {
  const { branch } = request
  const isOnIt = await isOnBranch(gitDir, request)
  const { code, out, err } = await git.script(LOOK, [branchRef(branch), ref, isOnIt ? '' : 'head'], { directory: root })
  if (code !== 0) throw failure(['ls-files'], root, { code: code ?? -1, out, err, cut: false })
  const end = out.indexOf('\n\n')
  const [head = '', ...refs] = out.toString('utf8', 0, end).split('\n')
  const named = (name: string) => refs.map(line => line.split(' ')).find(([is]) => is === name)
  const [, commit = '', tree = ''] = named(branchRef(branch)) ?? []
  const tip = isCommit(commit) && isCommit(tree) ? { commit, tree } : null
  return {
    head: isOnIt ? (tip?.commit ?? null) : isCommit(head) ? head : null,
    isOnIt,
    tip,
    isKept: named(ref) !== undefined,
    untracked: { code, out: out.subarray(end + 2), err, cut: false },
  }
}

const LOOK = `
if [ "$3" ]; then git rev-parse --verify --quiet 'HEAD^{commit}' || echo none; else echo branch; fi
git for-each-ref --format='%(refname) %(objectname) %(tree)' "$1" "$2"
echo
git ls-files -z --others --exclude-standard --full-name -- :/
`

/**
 * As one process, where the agent stayed on its branch: so it is nearly always, and whoever is killed in between leaves no commit
 * that nothing leads to. Null when something is not as usual.
 */
async function atOnce(
  git: Git,
  place: Ground,
  request: CommitLeftRequest,
  { ref, seen }: { ref: string; seen: Seen },
): Promise<Checkpoint | null> {
  const { isOnIt, tip, isKept, untracked } = seen
  if (isKept || tip === null || !isOnIt || (await operationIn(place.gitDir))) return null
  return inOwnIndex(git, place, untracked, async ({ own, directory, without, mayHoldOurs, leftOut }) => {
    if (mayHoldOurs) return null
    const [paths, message] = [join(directory, 'paths'), join(directory, 'message')]
    const text = ownMessage({ ...request, ...request.branch }, leftOut)
    await Promise.all([writeFile(paths, everything(without)), writeFile(message, text)])
    const sparse = (await isSparse(place)) ? '--sparse' : ''
    const words = [paths, message, branchRef(request.branch), ref, tip.commit, tip.tree, sparse]
    const settings = [...(own.settings ?? []), ...LOOK_CLOSELY, 'user.useConfigOnly=true']
    const said = await git.together(COMMIT, words, { ...own, settings })
    const [tree = '', commit = ''] = said?.trim().split(' ') ?? []
    return isCommit(tree) && isCommit(commit) ? { tree, commit, leftOut: [] } : null
  })
}

// At the end its own index is the branch's tip, so that what is in the files now is what git shows.
const COMMIT = `
paths=$1 message=$2 branch=$3 ref=$4 tip=$5 same=$6 sparse=$7
git add --all --ignore-errors $sparse --pathspec-from-file="$paths" --pathspec-file-nul &&
tree=$(git write-tree) || exit 1
if [ "$tree" = "$same" ]; then
  commit=$tip
  printf 'create %s %s\\n' "$ref" "$tip" | git update-ref --stdin || exit 1
else
  commit=$(git commit-tree "$tree" -p "$tip" -F "$message") &&
  printf 'update %s %s %s\\ncreate %s %s\\n' "$branch" "$commit" "$tip" "$ref" "$commit" | git update-ref --stdin || exit 1
fi
unset GIT_INDEX_FILE
git reset --mixed --quiet && echo "$tree $commit"
`

/** Where it could not be done at once, or was done in part before. */
async function stepByStep(git: Git, place: Ground, request: CommitLeftRequest, ref: string): Promise<Checkpoint> {
  const directory = place.root
  const [kept, seen] = await Promise.all([find(git, directory, ref), look(git, place, request, ref)])
  const made = kept ?? (await write(git, place, request, seen))
  const tip = seen.tip?.commit ?? null
  await putOnRefs(git, place, request, { commit: made.commit, ref: kept ? null : ref, tip })
  await backOnBranch(git, place, request)
  return made
}

async function write(git: Git, place: Ground, request: CommitLeftRequest, seen: Seen): Promise<Checkpoint> {
  const { tree, leftOut } = await writeTree(git, { ...place, head: seen.head, at: null }, seen.untracked)
  const parents = await parentsOf(git, place, request, seen)
  const [only] = parents
  if (parents.length === 1 && (await treeAt(git, { directory: place.root, commit: only! })) === tree) {
    return { commit: only!, tree, leftOut }
  }
  const message = ownMessage({ ...request, ...request.branch }, leftOut)
  return { commit: await commitTree(git, place, tree, parents, message), tree, leftOut }
}

async function putOnRefs(
  git: Git,
  { root: directory }: Ground,
  { branch }: CommitLeftRequest,
  { commit, ref, tip }: { commit: string; ref: string | null; tip: string | null },
): Promise<void> {
  const isOnIt = tip !== null && (await isAncestor(git, { directory, commit, of: tip }))
  const moves = [
    ...(isOnIt ? [] : [`update ${branchRef(branch)}\0${commit}\0${tip ?? none(commit)}\0`]),
    ...(ref === null ? [] : [`create ${ref}\0${commit}\0`]),
  ]
  if (moves.length > 0) await git.run(['update-ref', '-z', '--stdin'], { directory, input: moves.join('') })
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

/** git's word for a ref that is not there. */
function none(commit: string): string {
  return '0'.repeat(commit.length)
}
