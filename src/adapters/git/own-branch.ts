import { RehoboamError } from '../../contract/errors.ts'
import type { Advanced, OwnBranch } from '../../ports.ts'
import { commitTree } from './commit-tree.ts'
import { commitId, isCommit, mustLocate, type Place } from './locate.ts'
import { failure, type Git } from './run-git.ts'
import { writeTree } from './working-tree.ts'

const RUN = /^[a-z0-9]{8}$/
const TASK = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/

/** Only names that are ours by their form come from here, so that no other branch can ever be moved or removed. */
export function branchName({ run, task }: OwnBranch): string {
  if (!RUN.test(run) || (task !== null && !TASK.test(task))) {
    const text = JSON.stringify(`${run} ${task ?? ''}`.slice(0, 100))
    throw new RehoboamError('git-bad-ref', `${text} is not the id of a run, or of a run and its task`)
  }
  return task === null ? `rehoboam/${run}` : `rehoboam-work/${run}/${task}`
}

export function branchRef(branch: OwnBranch): string {
  return `refs/heads/${branchName(branch)}`
}

/** The run whose checkpoints the work on this branch has: a worker is a child of its pool. */
export function childOf({ run, task }: OwnBranch): string {
  return task === null ? run : `${run}.${task}`
}

export async function openBranch(
  git: Git,
  { directory, branch, base }: { directory: string; branch: OwnBranch; base: string | null },
): Promise<{ commit: string }> {
  const ref = branchRef(branch)
  const tip = await tipOf(git, { directory, branch })
  if (tip) return { commit: tip }
  const place = await mustLocate(git, directory)
  const commit = base === null ? (place.head ?? (await rootCommit(git, place, branch))) : commitId(base)
  const words = ['update-ref', ref, commit, '0'.repeat(commit.length)]
  const made = await git.attempt(words, { directory: place.root })
  if (made.code === 0) return { commit }
  const first = await tipOf(git, { directory, branch })
  if (first) return { commit: first }
  mustNotBlock(made.err, branch)
  throw failure(words, place.root, made)
}

/** Throws when git said that a branch of the user has a name which leaves no room for ours. */
export function mustNotBlock(err: string, branch: OwnBranch): void {
  const inTheWay = /'refs\/heads\/([^']+)' exists; cannot create/.exec(err)?.[1]
  if (!inTheWay) return
  const sentence = `your branch ${inTheWay} stands in the way of ${branchName(branch)}; git branch -m ${inTheWay} <another name>`
  throw new RehoboamError('branch-taken', sentence, { branch: inTheWay })
}

export async function tipOf(
  git: Git,
  { directory, branch }: { directory: string; branch: OwnBranch },
): Promise<string | null> {
  const words = ['rev-parse', '--verify', '--quiet', `${branchRef(branch)}^{commit}`]
  const { code, out } = await git.attempt(words, { directory })
  const commit = out.toString('utf8').trim()
  return code === 0 && isCommit(commit) ? commit : null
}

/**
 * Moved only from where we saw it. Under somebody who has it checked out it is not: their files would seem to be
 * changed, and their next commit would undo what came in.
 */
export async function advance(
  git: Git,
  { directory, branch, from, to }: { directory: string; branch: OwnBranch; from: string; to: string },
): Promise<Advanced> {
  const words = [branchRef(branch), commitId(to), commitId(from)]
  const [how = '', at = ''] = (await git.runScript('update-ref', ADVANCE, words, { directory })).split('\n')
  if (how === 'in-use') return { moved: false, why: 'in-use', at }
  return how === 'moved' ? { moved: true } : { moved: false, why: 'elsewhere' }
}

const ADVANCE = `
at=$(git for-each-ref --format='%(worktreepath)' "$1") || exit 1
if [ "$at" ]; then printf 'in-use\\n%s\\n' "$at"; exit; fi
if git update-ref "$1" "$2" "$3"; then echo moved; exit; fi
case $(git rev-parse --verify --quiet "$1") in
  "$2") echo moved ;;
  "$3") exit 1 ;;
  *) echo elsewhere ;;
esac
`

/** The working tree that has this branch checked out, if one has. */
export async function checkedOutAt(git: Git, directory: string, ref: string): Promise<string | null> {
  const path = (await git.run(['for-each-ref', '--format=%(worktreepath)', ref], { directory })).toString('utf8')
  return path.replace(/\n$/, '') || null
}

export async function isAncestor(
  git: Git,
  { directory, commit, of }: { directory: string; commit: string; of: string },
): Promise<boolean> {
  if (commit === of) return true
  const words = ['merge-base', '--is-ancestor', commitId(commit), commitId(of)]
  const result = await git.attempt(words, { directory })
  if (result.code > 1) throw failure(words, directory, result)
  return result.code === 0
}

export async function isRelated(
  git: Git,
  { directory, commits }: { directory: string; commits: [string, string] },
): Promise<boolean> {
  const words = ['merge-base', ...commits.map(commitId)]
  const result = await git.attempt(words, { directory })
  if (result.code > 1) throw failure(words, directory, result)
  return result.code === 0
}

// A commit has one tree for ever: what we committed ourselves is checked next, and its tree is known then.
const trees = new Map<string, string>()
const MOST_TREES = 1_000

export function rememberTree({ commit, tree }: { commit: string; tree: string }): void {
  trees.set(commit, tree)
  for (const oldest of trees.keys()) {
    if (trees.size <= MOST_TREES) break
    trees.delete(oldest)
  }
}

export async function treeAt(git: Git, { directory, commit }: { directory: string; commit: string }): Promise<string> {
  return trees.get(commit) ?? git.line(['rev-parse', '--verify', `${commitId(commit)}^{tree}`], { directory })
}

/** Before the first commit there is nothing to start from but the files: they are the root of our branch, and of no other. */
async function rootCommit(git: Git, place: Place, { run }: OwnBranch): Promise<string> {
  const { tree } = await writeTree(git, place)
  const message = `Rehoboam ${run}: the files before the first commit\n\nRehoboam-Run: ${run}\n`
  return commitTree(git, place.root, tree, [], message)
}
