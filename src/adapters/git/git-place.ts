import { lstat, realpath } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { RehoboamError } from '../../contract/errors.ts'
import { locate, type Place } from './locate.ts'
import type { Git } from './run-git.ts'

/** Where a repository is; what is checked out there is another question. */
export type Ground = Pick<Place, 'root' | 'gitDir' | 'commonDir'>

// A run asks for it twenty times: as long as the same .git stands there, the answer is the same, and no process is needed.
type Known = { ground: Ground; mark: string }
const known = new WeakMap<Git, Map<string, Known>>()
// Projects and worktrees of one daemon. Beyond that the oldest are asked for again.
const MOST_KNOWN = 500

/** The repository that a directory belongs to; null when it belongs to none. */
export async function groundAt(git: Git, directory: string): Promise<Ground | null> {
  const all = knownBy(git)
  const before = all.get(directory)
  if (before && (await markOf(directory, before.ground)) === before.mark) return before.ground
  all.delete(directory)
  const place = await locate(git, directory)
  if (!place) return null
  const { root, gitDir, commonDir } = place
  const ground = { root, gitDir, commonDir }
  await remember(git, directory, ground)
  return ground
}

/** Also of what was just made. */
export async function remember(git: Git, directory: string, ground: Ground): Promise<void> {
  const all = knownBy(git)
  const mark = await markOf(directory, ground)
  if (mark !== null) all.set(directory, { ground, mark })
  for (const oldest of all.keys()) {
    if (all.size <= MOST_KNOWN) break
    all.delete(oldest)
  }
}

function knownBy(git: Git): Map<string, Known> {
  const all = known.get(git) ?? new Map<string, Known>()
  known.set(git, all)
  return all
}

/** Where the caller has said that there is a repository. */
export async function mustHaveGround(git: Git, directory: string): Promise<Ground> {
  const ground = await groundAt(git, directory)
  if (ground) return ground
  throw new RehoboamError('git-none', `${directory} is not in a git repository; git init makes one`, { directory })
}

/** What stands at every step from the directory up to the root. Null: the .git is somewhere else, or cannot be seen. */
async function markOf(directory: string, { root, gitDir }: Ground): Promise<string | null> {
  const real = await realpath(directory).catch(() => null)
  if (real === null || relative(root, real).startsWith('..')) return null
  const steps = [gitDir]
  for (let at = real; ; at = dirname(at)) {
    steps.push(join(at, '.git'))
    if (at === root) break
  }
  const marks = await Promise.all(steps.map(identityOf))
  return marks[0] === '' || marks.at(-1) === '' ? null : [real, ...marks].join('\n')
}

async function identityOf(path: string): Promise<string> {
  const found = await lstat(path).catch(() => null)
  if (!found) return ''
  // What is inside a directory changes all the time; a file is only a pointer.
  return `${found.dev} ${found.ino} ${found.isDirectory() ? '' : `${found.size} ${found.mtimeMs}`}`
}
