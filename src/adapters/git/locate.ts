import { readdir, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { RehoboamError } from '../../contract/errors.ts'
import { failure, type Git } from './run-git.ts'

export type Place = {
  /** Where the working tree begins. */
  root: string
  /** This working tree's own part of the repository: its index, its HEAD. */
  gitDir: string
  /** What all working trees of the repository share. */
  commonDir: string
  /** The commit that is checked out; null before the first one. */
  head: string | null
}

const ASKED = ['--show-toplevel', '--absolute-git-dir', '--git-common-dir']

/** The repository that a directory belongs to; null when it belongs to none. */
export async function locate(git: Git, directory: string): Promise<Place | null> {
  const words = ['rev-parse', '--path-format=absolute', ...ASKED, '--revs-only', 'HEAD']
  const answer = await git.attempt(words, { directory })
  if (answer.code === 0) {
    const [root, gitDir, commonDir, ...commits] = answer.out.toString('utf8').split('\n').slice(0, -1)
    // A path with a newline in it gives more lines than answers.
    if (commits.some(line => !isCommit(line))) return askOneByOne(git, directory)
    return { root: root!, gitDir: gitDir!, commonDir: commonDir!, head: commits[0] ?? null }
  }
  if (/must be run in a work tree/.test(answer.err)) {
    const sentence = `${directory} is inside a repository without working files (bare, or a .git directory); use a clone or a worktree of it`
    throw new RehoboamError('git-no-work-tree', sentence, { directory })
  }
  const none = /not a git repository/.test(answer.err)
  if (none && !(await hasRemains(directory))) return null
  if (none || /invalid gitfile format|unable to read|bad config|unknown repository extension/.test(answer.err)) {
    const why = answer.err
      .replace(/\p{Cc}+/gu, ' ')
      .trim()
      .slice(0, 300)
    throw new RehoboamError('git-broken', `the repository of ${directory} is broken (${why}); git status there`, {
      directory,
    })
  }
  throw failure(words, directory, answer)
}

/** Where the caller has said that there is a repository. */
export async function mustLocate(git: Git, directory: string): Promise<Place> {
  const place = await locate(git, directory)
  if (place) return place
  throw new RehoboamError('git-none', `${directory} is not in a git repository; git init makes one`, { directory })
}

export function isCommit(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)
}

/** What comes from a journal or a command line and goes on git's: an id, never an option or an expression. */
export function commitId(text: string): string {
  if (isCommit(text)) return text
  throw new RehoboamError('git-bad-commit', `${JSON.stringify(text.slice(0, 80))} is not the id of a commit`)
}

async function askOneByOne(git: Git, directory: string): Promise<Place> {
  const ask = async (words: string[]) => {
    const out = await git.run(['rev-parse', '--path-format=absolute', ...words], { directory })
    return out.toString('utf8').replace(/\n$/, '')
  }
  const [root, gitDir, commonDir, head] = await Promise.all([
    ...ASKED.map(option => ask([option])),
    ask(['--revs-only', 'HEAD']),
  ])
  return { root: root!, gitDir: gitDir!, commonDir: commonDir!, head: head || null }
}

/** A .git that git itself does not recognize. An empty directory of that name is what sandboxes leave: no remains. */
async function hasRemains(directory: string): Promise<boolean> {
  for (let at = await realpath(directory); ; at = dirname(at)) {
    const found = await stat(join(at, '.git')).catch(() => null)
    if (found?.isFile()) return true
    if (found?.isDirectory() && (await readdir(join(at, '.git')).catch(() => [])).length > 0) return true
    if (at === dirname(at)) return false
  }
}
