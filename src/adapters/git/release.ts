import type { Released, WorkRequest } from '../../ports.ts'
import { mustHaveGround } from './git-place.ts'
import { branchName, branchRef, childOf } from './own-branch.ts'
import { refsUnder } from './refs.ts'
import type { Git } from './run-git.ts'
import { isOnBranch, WHOLE, workPlace } from './work-worktree.ts'
import { writeTree } from './working-tree.ts'
import { CHECKOUT_TIME_LIMIT_MS, LOOK_CLOSELY } from './worktrees.ts'

/**
 * Removes a worktree, then a worker's branch. Before the first of these every commit that they hold is proven to be
 * on the result branch or on a ref of ours, and all files to be in one of these commits. What cannot be proven stays.
 */
export async function release(git: Git, request: WorkRequest): Promise<Released> {
  const { repository, branch } = request
  const { root: directory } = await mustHaveGround(git, repository)
  const work = await workPlace(git, request)
  const { tree, leftOut } = work ? await writeTree(git, work, LOOK_CLOSELY) : { tree: '', leftOut: [] }
  const [lost] = leftOut
  if (lost) return { removed: false, why: `${JSON.stringify(lost.path)} is in no commit (${lost.why})` }
  const result = branchRef({ run: branch.run, task: null })
  const refs = [branchRef(branch), result, refsUnder(childOf(branch))]
  const stray = work && !(await isOnBranch(work.gitDir, request)) ? 'stray' : ''
  const words = [work?.root ?? '', work?.gitDir ?? '', tree, stray, ...refs, branch.task === null ? 'stays' : '']
  const said = await git.runScript('worktree', RELEASE, words, { directory, timeLimitMs: CHECKOUT_TIME_LIMIT_MS })
  const [why = '', at = ''] = said.split('\n')
  if (why === 'uncommitted') return { removed: false, why: 'files in it are in no commit yet' }
  if (why === 'hidden') return { removed: false, why: `git was told to overlook changes of ${JSON.stringify(at)}` }
  if (why === 'submodule') return { removed: false, why: `the submodule ${JSON.stringify(at)} has changes of its own` }
  if (why === 'in-use') return { removed: false, why: `${branchName(branch)} is checked out in ${at}` }
  return { removed: true }
}

// Files that git was told to overlook are not in the tree. A sparse checkout is the exception. Work in a submodule is at most in
// the submodule's own repository, which is removed with the worktree. A commit that neither the result branch nor a ref of ours holds
// gets a ref of ours. A worktree without its mark holds nobody's work: when the removal is cut off, the next one finishes it. The
// branch is removed only at the commit that was checked, so a branch that moved meanwhile stays.
const RELEASE = `
path=$1 own=$2 tree=$3 stray=$4 branch=$5 result=$6 under=$7 stays=$8
keep() {
  git merge-base --is-ancestor "$1" "$result" 2>/dev/null && return
  [ -z "$(git for-each-ref --count=1 --format=kept --contains="$1" "$under")" ] || return 0
  git update-ref "$under/$2" "$1"
}
set -- $(git for-each-ref --format='%(objectname) %(tree)' "$branch")
tip=$1 held=$2 head=$1
if [ "$path" ]; then
  if [ "$stray" ]; then head=$(git -C "$path" rev-parse --verify --quiet 'HEAD^{commit}'); fi
  if [ -z "$held" ] && [ "$head" ]; then held=$(git rev-parse --verify "$head^{tree}"); fi
  if [ -z "$held" ] || [ "$held" != "$tree" ]; then echo uncommitted; exit; fi
  if ! [ -e "$own/info/sparse-checkout" ]; then
    hidden=$(git -C "$path" ls-files -v) || exit 1
    hidden=$(printf '%s\\n' "$hidden" | sed -n 's/^[a-zS] //p' | head -n 1)
    if [ "$hidden" ]; then printf 'hidden\\n%s\\n' "$hidden"; exit; fi
  fi
  changed=$(git -C "$path" diff-index --ignore-submodules=none "$held" --) || exit 1
  changed=$(printf '%s\\n' "$changed" | sed -n 's/^:160000 [^\t]*\t//p' | head -n 1)
  if [ "$changed" ]; then printf 'submodule\\n%s\\n' "$changed"; exit; fi
  if [ "$head" ] && [ "$head" != "$tip" ]; then keep "$head" head || exit 1; fi
fi
if [ "$tip" ]; then keep "$tip" tip || exit 1; fi
if [ "$path" ]; then
  rm -f "$own/${WHOLE}" && git worktree remove --force --force "$path" || exit 1
fi
if [ "$stays" ] || [ -z "$tip" ]; then exit; fi
at=$(git for-each-ref --format='%(worktreepath)' "$branch")
if [ "$at" ]; then printf 'in-use\\n%s\\n' "$at"; exit; fi
git update-ref -d "$branch" "$tip"
`
