import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Taken, TakeRequest, UsersStanding } from '../../ports.ts'
import { commitTree } from './commit-tree.ts'
import { changedFiles } from './compare.ts'
import { commitId, mustLocate } from './locate.ts'
import { failure, type Git, names } from './run-git.ts'

const CHECKOUT_TIME_LIMIT_MS = 600_000
// As many paths as fit on a command line with room to spare; the rest is asked for in the next one.
const PATHS_AT_ONCE = 500

/** What of the user's own uncommitted work stands where these commits differ: nothing of it may be overwritten. */
export async function inTheWay(git: Git, { directory, from, to }: UsersStanding): Promise<string[]> {
  const { root } = await mustLocate(git, directory)
  const changes = await changedFiles(git, { directory: root, from, to })
  const paths = changes.flatMap(change => ('was' in change ? [change.path, change.was] : [change.path]))
  const dirty = new Set<string>()
  for (let at = 0; at < paths.length; at += PATHS_AT_ONCE) {
    const words = ['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=all', '--ignored=matching']
    const some = paths.slice(at, at + PATHS_AT_ONCE)
    const options = { directory: root, environment: { GIT_LITERAL_PATHSPECS: '1' } }
    for (const entry of names(await git.run([...words, '--', ...some], options))) {
      dirty.add(entry.subarray(3).toString('utf8').replace(/\/$/, ''))
    }
  }
  // A file that is in no commit of theirs, whatever git has been told to overlook.
  for (const { status, path } of changes) if (status === 'A' && (await isThere(join(root, path)))) dirty.add(path)
  return [...dirty].sort()
}

/**
 * The user's branch, index and files go on to a commit that was made from the one they are at: by git itself, which looks before it
 * overwrites anything and touches nothing when it finds something.
 */
export async function takeIn(git: Git, request: TakeRequest): Promise<Taken> {
  const place = await mustLocate(git, request.directory)
  const head = commitId(request.onto)
  if (place.head !== head) return { taken: false, why: 'the branch has moved meanwhile' }
  const parents = request.squash ? [head] : [head, commitId(request.from)]
  const commit = await commitTree(git, place.root, commitId(request.tree), parents, request.message)
  const words = ['merge', '--ff-only', '--quiet', '--no-stat', '--no-autostash', '--no-overwrite-ignore', commit]
  const settings = ['merge.verifySignatures=false', 'advice.detachedHead=false']
  const merged = await git.attempt(words, { directory: place.root, settings, timeLimitMs: CHECKOUT_TIME_LIMIT_MS })
  if (merged.code === 0) return { taken: true, commit }
  if (!/would be overwritten|Not possible to fast-forward/.test(merged.err)) throw failure(words, place.root, merged)
  return {
    taken: false,
    why: merged.err
      .replace(/\p{Cc}+/gu, ' ')
      .trim()
      .slice(0, 500),
  }
}

/** The commit of this history that brought a commit of ours in as one of its own. */
export async function squashedAs(git: Git, { directory, run, tip }: { directory: string; run: string; tip: string }) {
  const grep = [`--grep=^Rehoboam-Run: ${run}$`, `--grep=^Rehoboam-Squashed: ${commitId(tip)}$`, '--all-match']
  const words = ['rev-list', '--max-count=1', ...grep, 'HEAD']
  const { code, out } = await git.attempt(words, { directory })
  return code === 0 ? out.toString('utf8').trim() || null : null
}

/** Anything at all, also where a file stands in the way of a directory. */
async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  )
}
