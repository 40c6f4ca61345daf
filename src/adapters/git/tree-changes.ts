import type { ChangedFile } from '../../contract/ward.ts'
import { Git, names } from './run-git.ts'

// More was not written by one run; who calls says so instead of looking.
const MOST_FILES = 5_000
// Definitions and tests are smaller. A larger file is known by its id alone: that it changed, not how.
const LARGEST_FILE = 512 * 1024
const ALL_BYTES = 48 * 1024 * 1024

type Side = { id: string } | null

/** What two commits differ in, with the contents; null when it is too much to be looked through. */
export async function treeChanges(
  environment: Record<string, string>,
  { directory, from, to }: { directory: string; from: string; to: string },
): Promise<ChangedFile[] | null> {
  const git = new Git(environment)
  const words = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-ext-diff', '--no-abbrev', from, to, '--']
  const fields = names(await git.run(words, { directory }))
  if (fields.length / 2 > MOST_FILES) return null
  const files: { path: string; before: Side; after: Side }[] = []
  for (let n = 0; n + 1 < fields.length; n += 2) {
    const [, , before = '', after = ''] = fields[n]!.toString('utf8').split(' ')
    files.push({ path: fields[n + 1]!.toString('utf8'), before: side(before), after: side(after) })
  }
  const sides = files.flatMap(({ before, after }) => [before, after]).filter(one => one !== null)
  const sizes = await sizesOf(git, directory, sides)
  const small = [...sizes].filter(([, size]) => size <= LARGEST_FILE)
  if (small.reduce((sum, [, size]) => sum + size, 0) > ALL_BYTES) return null
  const contents = await contentsOf(git, directory, small)
  const text = (one: Side) => (one === null ? null : (contents.get(one.id) ?? one.id))
  return files.map(({ path, before, after }) => ({ path, before: text(before), after: text(after) }))
}

/** One file of a commit; null when it is not in it. */
export async function fileAt(
  environment: Record<string, string>,
  { directory, commit, path }: { directory: string; commit: string; path: string },
): Promise<string | null> {
  const git = new Git(environment)
  const { code, out } = await git.attempt(['cat-file', 'blob', `${commit}:${path}`], {
    directory,
    cutAfterBytes: LARGEST_FILE,
  })
  return code === 0 ? out.toString('utf8') : null
}

function side(id: string): Side {
  return /^0+$/.test(id) || id === '' ? null : { id }
}

async function sizesOf(git: Git, directory: string, sides: { id: string }[]): Promise<Map<string, number>> {
  const ids = [...new Set(sides.map(({ id }) => id))]
  if (ids.length === 0) return new Map()
  const out = await git.run(['cat-file', '--batch-check'], { directory, input: `${ids.join('\n')}\n` })
  // A submodule's commit is not in this repository: "missing", and known by its id.
  const found = out.toString('utf8').matchAll(/^([0-9a-f]+) blob (\d+)$/gm)
  return new Map([...found].map(([, id = '', size]) => [id, Number(size)]))
}

async function contentsOf(
  git: Git,
  directory: string,
  blobs: [id: string, size: number][],
): Promise<Map<string, string>> {
  const contents = new Map<string, string>()
  if (blobs.length === 0) return contents
  const input = `${blobs.map(([id]) => id).join('\n')}\n`
  const out = await git.run(['cat-file', '--batch'], { directory, input })
  let at = 0
  for (const [id, size] of blobs) {
    const start = out.indexOf(10, at) + 1
    contents.set(id, out.toString('utf8', start, start + size))
    at = start + size + 1
  }
  return contents
}
