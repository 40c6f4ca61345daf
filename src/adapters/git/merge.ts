import { RehoboamError } from '../../contract/errors.ts'
import type { Forecast, ForecastRequest, MergeRequest, OwnBranch, WorkRequest } from '../../ports.ts'
import { commitTree } from './checkpoint.ts'
import { mustHavePlace } from './commit-left.ts'
import { mustHaveGround } from './ground.ts'
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
  if (result.code > 1 && /usage: git merge-tree|unknown option/.test(result.err)) {
    throw new RehoboamError('git-too-old', 'merging needs git 2.38 or newer; git --version says which this is')
  }
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

export async function mergeCommit(git: Git, { directory, branch, onto, from, tree, subject }: MergeRequest) {
  const place = await mustHaveGround(git, directory)
  // With the time of what it merges: cut off and made again it is the same commit, and no stray one is left.
  const at = await git.line(['log', '-1', '--format=%cd', '--date=raw', commitId(from)], { directory })
  const time = { GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at }
  return commitTree(git, place, commitId(tree), [commitId(onto), commitId(from)], message(branch, subject), time)
}

/**
 * Forecast and commit as one process, for what merges without a question: so it is nearly always. Null: it is in already, it
 * conflicts, or it brings in what has to be looked at; whoever wants to know does it step by step.
 */
export async function mergeAtOnce(
  git: Git,
  { directory, branch, from, subject }: Omit<MergeRequest, 'onto' | 'tree'>,
): Promise<{ onto: string; tree: string; commit: string } | null> {
  const result = branchRef({ run: branch.run, task: null })
  const words = [result, commitId(from), message(branch, subject)]
  const options = { directory, timeLimitMs: MERGE_TIME_LIMIT_MS, settings: ['user.useConfigOnly=true'] }
  const [onto = '', tree = '', commit = ''] = (await git.together(MERGE, words, options))?.trim().split('\n') ?? []
  return [onto, tree, commit].every(isCommit) ? { onto, tree, commit } : null
}

// With the time of what it merges: cut off and made again it is the same commit, and no stray one is left. What is in already
// changes nothing; what is ours, and lines that look like marks of a conflict, are looked at closely.
const MERGE = `
result=$1 from=$2 message=$3
both=$(git log --no-walk=unsorted --format='%H %T%n%cd' --date=raw "$result" "$from" --) || exit 1
{ read -r onto same; read -r _; read -r _; read -r at; } <<END
$both
END
tree=$(git merge-tree --write-tree --no-messages --allow-unrelated-histories "$onto" "$from") || exit 1
if [ "$tree" = "$same" ]; then exit 1; fi
if git diff-tree -r -p -U0 --no-ext-diff --no-textconv --no-color --no-renames "$onto" "$from" |
  grep -aqE '^diff --git .*/[.]rehoboam|^[+](<{7}|>{7})( |$)'; then exit 1; fi
export GIT_AUTHOR_DATE="$at" GIT_COMMITTER_DATE="$at"
commit=$(git commit-tree "$tree" -p "$onto" -p "$from" -m "$message") &&
printf '%s\\n' "$onto" "$tree" "$commit"
`

/** By the line that says so, on the result branch's own line of commits. */
export async function mergedAs(
  git: Git,
  { directory, branch: { run, task } }: { directory: string; branch: OwnBranch },
): Promise<string | null> {
  const result: OwnBranch = { run, task: null }
  if (task === null || (await tipOf(git, { directory, branch: result })) === null) return null
  const grep = [`--grep=^Rehoboam-Run: ${run}$`, `--grep=^Rehoboam-Merged: ${task}$`, '--all-match']
  const words = ['rev-list', '--first-parent', '--max-count=1', ...grep, branchRef(result)]
  return (await git.line(words, { directory })) || null
}

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
    : await commitTree(git, place, found.tree, [tip, commitId(from)], withLines(request.subject, branch, null))
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
  const words = ['grep', '-l', '-z', '-I', '-E', '^(<{7}|>{7})( |$)', commitId(commit), '--', ...files]
  const result = await git.attempt(words, { directory, environment: { GIT_LITERAL_PATHSPECS: '1' } })
  if (result.code > 1) throw failure(words, directory, result)
  return names(result.out).map(name => name.toString('utf8').slice(commit.length + 1))
}

/** The same tree, as if it had been made from `base`: for a history whose beginning was committed twice. */
async function asIfFrom(git: Git, directory: string, onto: string, base: string): Promise<string> {
  const place = await mustHaveGround(git, directory)
  const tree = await treeAt(git, { directory, commit: onto })
  return commitTree(git, place, tree, [commitId(base)], 'Rehoboam: for a forecast\n')
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
