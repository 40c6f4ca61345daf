import type { Released, WorkRequest } from '../../ports.ts'
import { mustLocate } from './locate.ts'
import { branchName, branchRef, checkedOutAt, childOf, isAncestor, tipOf, treeAt } from './own-branch.ts'
import { refsUnder } from './refs.ts'
import type { Git } from './run-git.ts'
import { workPlace } from './work-worktree.ts'
import { listUntracked, writeTree } from './working-tree.ts'
import { realPath, remove } from './worktrees.ts'

/**
 * Removes a worktree, then a worker's branch. Before the first of these every commit that they hold is proven to be
 * on the result branch or on a ref of ours, and all files to be in one of these commits. What cannot be proven stays.
 */
export async function release(git: Git, request: WorkRequest): Promise<Released> {
  const { repository, branch } = request
  const place = await mustLocate(git, repository, branchRef(branch))
  const directory = place.root
  const tip = place.at ?? (await tipOf(git, { directory, branch }))
  const work = await workPlace(git, request, place)
  if (work) {
    const { tree, leftOut } = await writeTree(git, work, await listUntracked(git, work.root))
    const [lost] = leftOut
    if (lost) return { removed: false, why: `${JSON.stringify(lost.path)} is in no commit (${lost.why})` }
    const holder = tip ?? work.head
    const committed = holder && (await treeAt(git, { directory, commit: holder }))
    if (committed !== tree) return { removed: false, why: 'files in it are in no commit yet' }
    if (work.head && work.head !== tip) await keep(git, directory, request, work.head, 'head')
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

/** On a ref of ours, unless the result branch or such a ref has it already. */
async function keep(git: Git, directory: string, { branch }: WorkRequest, commit: string, name: string) {
  const result = await tipOf(git, { directory, branch: { run: branch.run, task: null } })
  if (result && (await isAncestor(git, { directory, commit, of: result }))) return
  const under = refsUnder(childOf(branch))
  const words = ['for-each-ref', '--count=1', '--format=%(refname)', `--contains=${commit}`, under]
  if (await git.line(words, { directory })) return
  await git.run(['update-ref', `${under}/${name}`, commit], { directory })
}
