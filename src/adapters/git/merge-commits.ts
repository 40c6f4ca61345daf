import { RehoboamError } from '../../contract/errors.ts'
import type {
  Forecast,
  ForecastRequest,
  MergeRequest,
  OwnBranch,
  ResultMerge,
  ResultMergeRequest,
  WorkRequest,
} from '../../ports.ts'
import { mustHavePlace } from './commit-left.ts'
import { COMMIT_TREE, commitTree, IDENTITY } from './commit-tree.ts'
import { commitId, isCommit } from './locate.ts'
import { branchName, branchRef, isAncestor, tipOf, treeAt } from './own-branch.ts'
import { failure, type Git, names } from './run-git.ts'
import { backOnBranch, resetToBranch } from './work-worktree.ts'

const MERGE_TIME_LIMIT_MS = 300_000
// Shown to people and agents, who need the files and the kinds of conflict.
const SAID_CHARACTERS = 10_000
const SUBJECT_LIMIT = 200

/** What a merge would give: nothing is checked out, nothing but objects is written. */
export async function forecast(git: Git, request: ForecastRequest): Promise<Forecast> {
  const { directory, base } = request
  const [onto, from] = [commitId(request.onto), commitId(request.from)]
  const ours = base === undefined ? onto : await asIfFrom(git, directory, onto, base)
  const words = ['merge-tree', '--write-tree', '-z', '--name-only', '--allow-unrelated-histories', ours, from]
  const result = await git.attempt(words, { directory, timeLimitMs: MERGE_TIME_LIMIT_MS })
  mustMergeTrees(result)
  const parts = names(result.out).map(part => part.toString('utf8'))
  const tree = parts[0] ?? ''
  if (result.code > 1 || !isCommit(tree)) throw failure(words, directory, result)
  if (result.code === 0) return { clean: true, tree, files: [], said: '' }
  // The names end with an empty one; then the messages: how many paths, the paths, the kind, the words.
  const end = parts.indexOf('', 1)
  const files = [...new Set(parts.slice(1, end === -1 ? undefined : end))]
  const said = end === -1 ? '' : wordsOf(parts.slice(end + 1))
  return { clean: false, tree, files, said }
}

function mustMergeTrees({ code, err }: { code: number; err: string }): void {
  if (code === 0 || !/usage: git merge-tree|unknown option/.test(err)) return
  throw new RehoboamError('git-too-old', 'merging needs git 2.38 or newer; git --version says which this is')
}

export async function mergeCommit(git: Git, { directory, branch, onto, from, tree, subject }: MergeRequest) {
  // With the time of what it merges: cut off and made again it is the same commit, and no stray one is left.
  const at = await git.line(['log', '-1', '--format=%cd', '--date=raw', commitId(from)], { directory })
  const time = { GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at }
  return commitTree(git, directory, commitId(tree), [commitId(onto), commitId(from)], message(branch, subject), time)
}

/** Makes a commit that merges a worker's commit into the result branch. Does not move the branch. */
export async function mergeIntoResult(git: Git, request: ResultMergeRequest): Promise<ResultMerge> {
  const { directory, branch, base, subject } = request
  const from = commitId(request.from)
  const onBranch = branchRef({ run: branch.run, task: null })
  const words = [onBranch, from, message(branch, subject), commitId(base), branch.run, branch.task ?? '']
  const options = { directory, timeLimitMs: MERGE_TIME_LIMIT_MS, settings: [IDENTITY] }
  const result = await git.script('merge-tree', COMMIT_TREE + MERGE, words, options)
  mustMergeTrees(result)
  if (result.code !== 0) throw failure(['merge-tree'], directory, result)
  const [how = '', onto = '', tree = '', commit = ''] = result.out.toString('utf8').trim().split(/\s/)
  if (how === 'merged' || how === 'nothing') return { is: how, onto, tree }
  if (how === 'made' || how === 'suspicious') return { is: 'made', onto, tree, commit, isSuspicious: how !== 'made' }
  const { files, said: why } = await forecast(git, { directory, onto, from })
  return { is: 'conflict', onto, files, said: why }
}

// The result branch is made again when somebody has removed it. The merge has the time of the commit that it merges: made again
// after a kill it is the same commit, and no stray commit is left. Our own files and lines like conflict marks are suspicious.
const MERGE = `
result=$1 from=$2 message=$3 base=$4 run=$5 task=$6
both() { git log --no-walk=unsorted --format='%H %T%n%cd' --date=raw "$result" "$from" --; }
both=$(both 2>/dev/null) || { git update-ref "$result" "$base" '' && both=$(both); } || exit 1
{ read -r onto same; read -r _; read -r _; read -r at; } <<END
$both
END
tree=$(git merge-tree --write-tree --no-messages --allow-unrelated-histories "$onto" "$from")
case $? in
  0) ;;
  1) echo "conflict $onto"; exit ;;
  *) exit 1 ;;
esac
if [ "$tree" = "$same" ] && git merge-base --is-ancestor "$from" "$onto"; then
  line=$(git rev-list --first-parent --max-count=1 \\
    --grep="^Rehoboam-Run: $run$" --grep="^Rehoboam-Merged: $task$" --all-match "$onto") || exit 1
  if [ "$line" ]; then echo "merged $onto $tree"; else echo "nothing $onto $tree"; fi
  exit
fi
how=made
if git diff-tree -r -p -U0 --no-ext-diff --no-textconv --no-color --no-renames "$onto" "$from" |
  grep -aqE '^diff --git .*/[.]rehoboam|^[+](<{7}|>{7})( |$)'; then how=suspicious; fi
export GIT_AUTHOR_DATE="$at" GIT_COMMITTER_DATE="$at"
commit=$(commit_tree "$tree" -p "$onto" -p "$from" -m "$message") && echo "$how $onto $tree $commit"
`

/** Takes a commit into a worktree's branch. Conflicts are left in the files, marked, for whoever works there. */
export async function bringIn(
  git: Git,
  request: WorkRequest & { from: string; subject: string },
): Promise<Forecast & { commit: string }> {
  const { branch, from } = request
  const place = await mustHavePlace(git, request)
  const directory = place.root
  const tip = await tipOf(git, { directory, branch })
  if (!tip) throw new RehoboamError('branch-gone', `the branch ${branchName(branch)} is gone`)
  const found = await forecast(git, { directory, onto: tip, from })
  const isIn = await isAncestor(git, { directory, commit: from, of: tip })
  const commit = isIn
    ? tip
    : await commitTree(git, place.root, found.tree, [tip, commitId(from)], withLines(request.subject, branch, null))
  if (!isIn) await git.run(['update-ref', branchRef(branch), commit, tip], { directory })
  await backOnBranch(git, place, request)
  await resetToBranch(git, place)
  return { ...found, commit }
}

/** Of files that were in conflict, those in which the marks still stand. */
export async function markedFiles(
  git: Git,
  { directory, commit, files }: { directory: string; commit: string; files: string[] },
): Promise<string[]> {
  if (files.length === 0) return []
  const words = ['grep', '--no-color', '-l', '-z', '-I', '-E', '^(<{7}|>{7})( |$)', commitId(commit), '--', ...files]
  const result = await git.attempt(words, { directory, environment: { GIT_LITERAL_PATHSPECS: '1' } })
  if (result.code > 1) throw failure(words, directory, result)
  return names(result.out).map(name => name.toString('utf8').slice(commit.length + 1))
}

/** The same tree, as if it had been made from `base`: for a history whose beginning was committed twice. */
async function asIfFrom(git: Git, directory: string, onto: string, base: string): Promise<string> {
  const tree = await treeAt(git, { directory, commit: onto })
  return commitTree(git, directory, tree, [commitId(base)], 'Rehoboam: for a forecast\n')
}

function message(branch: OwnBranch, subject: string): string {
  return withLines(subject, branch, branch.task)
}

function withLines(subject: string, { run }: OwnBranch, merged: string | null): string {
  const line = subject.replace(/\p{Cc}+/gu, ' ').trim()
  const lines = [`Rehoboam-Run: ${run}`, ...(merged === null ? [] : [`Rehoboam-Merged: ${merged}`])]
  return `${line.slice(0, SUBJECT_LIMIT)}\n\n${lines.join('\n')}\n`
}

function wordsOf(parts: string[]): string {
  const said: string[] = []
  for (let at = 0; at < parts.length; ) {
    const count = Number(parts[at])
    if (!Number.isInteger(count) || count < 0) break
    const words = parts[at + count + 2] ?? ''
    // That a file was merged without a conflict is not worth a line.
    if (!words.startsWith('Auto-merging')) said.push(words.trim())
    at += count + 3
  }
  return said.join('\n').slice(0, SAID_CHARACTERS)
}
