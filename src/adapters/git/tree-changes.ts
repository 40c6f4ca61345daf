import type { ChangedFile } from '../../contract/ward.ts'
import { failure, Git, names } from './run-git.ts'

// More was not written by one run; who calls says so instead of looking.
const MOST_FILES = 5_000
// Definitions and tests are smaller. A larger file is known by its id alone: that it changed, not how.
const LARGEST_FILE = 512 * 1024
const ALL_BYTES = 48 * 1024 * 1024

type Side = { id: string } | null

/**
 * What two commits differ in, with the contents; null when it is too much to be looked through. `also`: files of the
 * first one that are wanted whether they changed or not; those that it does not have are left out.
 */
export async function treeChanges(
  environment: Record<string, string>,
  { directory, from, to, also }: { directory: string; from: string; to: string; also: string[] },
): Promise<{ changed: ChangedFile[] | null; texts: Record<string, string> }> {
  // The environment may name another state directory. That does not matter here: nothing is written.
  const git = new Git(environment)
  const { fields, sizes } = await listed(git, directory, [from, to, ...also])
  const wanted = also.flatMap((path, n) => {
    const blob = sizes[n]
    return blob && blob.size <= LARGEST_FILE ? [{ path, ...blob }] : []
  })
  const known = new Map(sizes.slice(also.length).flatMap(blob => (blob ? [[blob.id, blob.size] as const] : [])))
  const small = new Map([...known].filter(([, size]) => size <= LARGEST_FILE))
  const all = [...small.values()].reduce((sum, size) => sum + size, 0)
  const isTooMuch = fields.length / 2 > MOST_FILES || all > ALL_BYTES
  const blobs = new Map([...(isTooMuch ? [] : small), ...wanted.map(({ id, size }) => [id, size] as const)])
  const contents = await contentsOf(git, directory, [...blobs])
  const texts = Object.fromEntries(wanted.map(({ path, id }) => [path, contents.get(id) ?? '']))
  return { changed: isTooMuch ? null : filesIn(fields, contents), texts }
}

type Blob = { id: string; size: number }

/** Kinds, ids and names of what changed, and the blobs: first those that are asked for, then both sides of what changed. */
async function listed(
  git: Git,
  directory: string,
  words: string[],
): Promise<{ fields: Buffer[]; sizes: (Blob | null)[] }> {
  const result = await git.script('diff-tree', LIST, words, { directory })
  if (result.code !== 0) throw failure(['diff-tree'], directory, result)
  const { out } = result
  const end = out.indexOf('\n\n')
  const lines = out.toString('utf8', 0, end).split('\n').slice(1)
  // A submodule's commit is not in this repository: "missing", and known by its id.
  const sizes = lines.map(line => {
    const [, id, size] = /^([0-9a-f]+) blob (\d+)$/.exec(line) ?? []
    return id ? { id, size: Number(size) } : null
  })
  return { fields: names(out.subarray(end + 2)), sizes }
}

const LIST = `
from=$1 to=$2
shift 2
plain='-r --raw --no-renames --no-ext-diff --no-abbrev'
echo
{
  for path in "$@"; do printf '%s:%s\\n' "$from" "$path"; done
  git diff-tree $plain "$from" "$to" -- | cut -d ' ' -f 3,4 | tr ' ' '\\n' | grep -v '^0*$'
} | git cat-file --batch-check || exit 1
echo
git diff-tree $plain -z "$from" "$to" --
`

function filesIn(fields: Buffer[], contents: Map<string, string>): ChangedFile[] {
  const text = (one: Side) => (one === null ? null : (contents.get(one.id) ?? one.id))
  const files: ChangedFile[] = []
  for (let n = 0; n + 1 < fields.length; n += 2) {
    const [, , before = '', after = ''] = fields[n]!.toString('utf8').split(' ')
    const path = fields[n + 1]!.toString('utf8')
    files.push({ path, before: text(side(before)), after: text(side(after)) })
  }
  return files
}

function side(id: string): Side {
  return /^0+$/.test(id) || id === '' ? null : { id }
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
