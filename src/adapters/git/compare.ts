import type { Change, CompareRequest, DiffRequest } from '../../ports.ts'
import { mustHaveGround } from './git-place.ts'
import { commitId } from './locate.ts'
import { failure, type Git, names } from './run-git.ts'

// More than anybody reads, and what a prompt or a page can carry.
const DIFF_LIMIT_BYTES = 2 * 1024 * 1024
const COMPARE_TIME_LIMIT_MS = 120_000

// Nothing that the project's own attributes name is run to show a file.
const PLAIN = ['-r', '--no-ext-diff', '--no-textconv', '--no-color', '--find-renames']

/** The difference of two commits as text. It holds what agents wrote, as it is. */
export async function diff(git: Git, request: DiffRequest): Promise<{ text: string; cut: boolean }> {
  const form = request.stat ? ['--stat=120', '--stat-count=500', '--summary'] : ['--patch']
  const { out, cut } = await compare(git, request, [...PLAIN, ...form], request.paths ?? [])
  const text = out.toString('utf8')
  // Cut at the end of a line, so that half a character is never shown.
  return { text: cut ? text.slice(0, text.lastIndexOf('\n') + 1) : text, cut }
}

/** Which files two commits differ in. */
export async function changedFiles(git: Git, request: CompareRequest): Promise<Change[]> {
  const { out } = await compare(git, request, [...PLAIN, '-z', '--name-status'], [])
  const words = names(out).map(name => name.toString('utf8'))
  const changes: Change[] = []
  while (words.length > 0) {
    const status = words.shift()!.slice(0, 1) as Change['status']
    const path = words.shift() ?? ''
    // A renamed file has both names, the old one first.
    if (status === 'R' || status === 'C') changes.push({ status, path: words.shift() ?? '', was: path })
    else changes.push({ status, path })
  }
  return changes
}

async function compare(git: Git, { directory, from, to }: CompareRequest, options: string[], paths: string[]) {
  const { root } = await mustHaveGround(git, directory)
  const base = from === null ? await emptyTree(git, root) : commitId(from)
  const words = ['diff-tree', ...options, base, commitId(to), '--', ...paths]
  const patch = !options.includes('-z')
  const result = await git.attempt(words, {
    directory: root,
    environment: { GIT_LITERAL_PATHSPECS: '1' },
    timeLimitMs: COMPARE_TIME_LIMIT_MS,
    ...(patch ? { cutAfterBytes: DIFF_LIMIT_BYTES } : {}),
  })
  if (result.code !== 0) throw failure(words, root, result)
  return result
}

/** git knows it in every repository; its id depends on the kind of hash. */
function emptyTree(git: Git, directory: string): Promise<string> {
  return git.line(['hash-object', '-t', 'tree', '--stdin'], { directory, input: '' })
}
