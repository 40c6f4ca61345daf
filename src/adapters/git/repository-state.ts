import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Located, RepositoryState } from '../../ports.ts'
import { groundAt } from './git-place.ts'
import { locate } from './locate.ts'
import { isOurs } from './ours.ts'
import { failure, type Git, names } from './run-git.ts'

// Shown to people, who read the first few; the list of a rewritten tree would only be long.
const DIRTY_LIMIT = 1_000
const STATUS_LIMIT_BYTES = 4 * 1024 * 1024

/** How a repository stands: what is checked out, what is uncommitted, what somebody is in the middle of. */
export async function repositoryAt(git: Git, directory: string): Promise<RepositoryState | null> {
  const place = await locate(git, directory)
  if (!place) return null
  const { root, gitDir, commonDir, head } = place
  const [branch, dirty, hasSubmodules, inProgress] = await Promise.all([
    branchOf(git, root),
    dirtyFiles(git, root),
    exists(join(root, '.gitmodules')),
    operationIn(gitDir),
  ])
  return { root, gitDir, commonDir, head, branch, dirty, hasSubmodules, inProgress }
}

/** Where it is and what somebody is in the middle of: without a process, however many files there are. */
export async function locatedAt(git: Git, directory: string): Promise<Located | null> {
  const ground = await groundAt(git, directory)
  return ground && { ...ground, inProgress: await operationIn(ground.gitDir) }
}

async function branchOf(git: Git, root: string): Promise<string | null> {
  const { code, out } = await git.attempt(['symbolic-ref', '--quiet', 'HEAD'], { directory: root })
  const name = out.toString('utf8').trim()
  return code === 0 && name.startsWith('refs/heads/') ? name.slice('refs/heads/'.length) : null
}

async function dirtyFiles(git: Git, root: string): Promise<string[]> {
  const words = ['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=normal']
  const status = await git.attempt(words, { directory: root, cutAfterBytes: STATUS_LIMIT_BYTES })
  if (status.code !== 0) throw failure(words, root, status)
  const entries = names(status.out)
  if (status.cut) entries.pop()
  return entries
    .map(entry => entry.subarray(3).toString('utf8'))
    .filter(path => !isOurs(path))
    .slice(0, DIRTY_LIMIT)
}

/** git keeps it in files; the outer operation first, because a rebase cherry-picks inside. */
export async function operationIn(gitDir: string): Promise<RepositoryState['inProgress']> {
  const has = (name: string) => exists(join(gitDir, name))
  if (await has('rebase-merge')) return 'rebase'
  if (await has('rebase-apply')) return (await has('rebase-apply/applying')) ? 'am' : 'rebase'
  if (await has('MERGE_HEAD')) return 'merge'
  if (await has('CHERRY_PICK_HEAD')) return 'cherry-pick'
  if (await has('REVERT_HEAD')) return 'revert'
  // Between two commits of a longer pick, only the list of what is left says so.
  const left = await readFile(join(gitDir, 'sequencer/todo'), 'utf8').catch(() => '')
  if (left) return left.startsWith('revert') ? 'revert' : 'cherry-pick'
  return (await has('BISECT_LOG')) ? 'bisect' : null
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null
}
