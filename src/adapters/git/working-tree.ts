import { rmSync } from 'node:fs'
import { lstat, mkdtemp, open, readFile, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RehoboamError } from '../../contract/errors.ts'
import type { LeftOut } from '../../ports.ts'
import { COMMIT_TREE, IDENTITY } from './commit-tree.ts'
import type { Ground } from './git-place.ts'
import { isOurs, OUR_PATHS, OUR_PREFIX } from './ours.ts'
import { failure, type Git, names } from './run-git.ts'

// Data sets, recordings, core dumps: every iteration would store them again. What is tracked is taken whatever its size.
const LARGE_BYTES = 50 * 1024 * 1024
// A tree of a million files on a cold disk; a clean filter for each of them.
const ADD_TIME_LIMIT_MS = 600_000
// Files come and go while agents' leftovers still run; a tree that never holds still is taken as far as it can be.
const ADD_ATTEMPTS = 3
const VANISHED_LIMIT = 50

const SLASH = 0x2f

/** The beginning of the name of a directory with a copy of an index; it goes on with whose it is. */
export const INDEX_COPY = 'rehoboam-index-'

// The exit code of the script below when some files could not be added, and the others were.
const NOT_ALL_ADDED = 3

// What is new is listed, by the user's own index, while what git knows is taken into ours: two processors are everywhere.
// Blobs and trees are only written out: the sync of the commit brings them to the disk, as the last one of git's own batches.
const TREE = `
own=$1 sparse=$2 ours=$3 last=$4 closely=$5
shift 5
ask() { echo '?'; read -r seen; }
add() {
  git -c core.fsyncMethod=writeout-only add --ignore-errors --pathspec-file-nul $sparse "$@"
  added=$?
  [ $added = 0 ] || { [ $added = 1 ] && [ "$last" ] && closely=1; }
}
ended() { [ $added = 1 ] && exit ${NOT_ALL_ADDED} || exit 1; }
git ls-files -z --others --exclude-standard --full-name -- :/ >"$own/listed" &
export GIT_INDEX_FILE="$own/index"
add --update --pathspec-from-file="$own/known"
known=$?
wait $! || exit 1
[ $known = 0 ] || ended
if [ -s "$own/listed" ]; then
  ask && add --all --pathspec-from-file="$own/all" || ended
fi
if [ "$closely" ]; then
  { git diff-files -z --name-only --ignore-submodules=all && git ls-files -z --others --exclude-standard; } >"$own/left" &&
  ask || exit 1
fi
if [ "$ours" ]; then git reset --quiet -- ${OUR_PATHS.map(path => `':(glob)${path}'`).join(' ')} || exit 1; fi
tree=$(git -c core.fsyncMethod=writeout-only write-tree) || exit 1
`

type Taking = {
  /** Continues the script. `$tree` is the tree, `$own` a directory with the file `message`. */
  script: string
  words: string[]
  message: (leftOut: LeftOut[]) => string
  settings?: string[]
}

/** The tree that a commit of everything would have now. */
export async function writeTree(git: Git, place: Ground, settings: string[] = []): Promise<Written> {
  const { said, leftOut } = await runWithTree(git, place, {
    script: 'echo "$tree"',
    words: [],
    message: () => '',
    settings,
  })
  return { tree: said, leftOut }
}

/**
 * Runs a script with the tree that a commit of everything would have now. All of it happens in an index file of our own, a
 * copy of the user's so that files which did not change are not read; a lock on the user's own index does not matter. Files
 * that cannot be added, or come and go meanwhile, are left out and named.
 */
export async function runWithTree(
  git: Git,
  place: Ground,
  { script, words, message, settings = [] }: Taking,
): Promise<{ said: string; leftOut: LeftOut[] }> {
  return inOwnDirectory(async directory => {
    const write = (name: string, content: string | Buffer) => writeFile(join(directory, name), content)
    const [{ own, mayHoldOurs }, links, sparse] = await Promise.all([
      ownIndex(place, directory),
      submodules(git, place.root),
      isSparse(place),
    ])
    // Files that vanished after git had listed them. The next attempt leaves them out.
    const vanished: Buffer[] = []
    for (let attempt = 1; ; attempt++) {
      let leftOut: LeftOut[] = []
      let fault: unknown = null
      const whenAsked = async () => {
        const others = await notToTake(place, names(await readFile(join(directory, 'listed'))))
        const without = [...others.map(({ name }) => name), ...links]
        const left = names(await readFile(join(directory, 'left')).catch(() => Buffer.alloc(0)))
        leftOut = [...others.flatMap(one => one.leftOut ?? []), ...(await notAdded(place, left, without))]
        await Promise.all([write('all', everything([...without, ...vanished])), write('message', message(leftOut))])
      }
      await Promise.all([write('known', everything([...links, ...vanished])), write('message', message([]))])
      const last = attempt >= ADD_ATTEMPTS ? 'last' : ''
      const closely = vanished.length > 0 ? 'closely' : ''
      const options = {
        ...own,
        settings: [...own.settings, ...settings, IDENTITY],
        whenAsked: () =>
          whenAsked().catch(error => {
            fault = error
            throw error
          }),
      }
      const all = [directory, sparse ? '--sparse' : '', mayHoldOurs ? 'ours' : '', last, closely, ...words]
      const result = await git.script('commit', COMMIT_TREE + TREE + script, all, options)
      if (result.code === 0) {
        const said = result.out.toString('utf8')
        return { said: said.slice(said.lastIndexOf('?\n') + 1).trim(), leftOut }
      }
      if (fault) throw fault
      const gone = /^fatal: unable to stat '(.*)': No such file/m.exec(result.err)?.[1]
      if (gone !== undefined && vanished.length < VANISHED_LIMIT) vanished.push(Buffer.from(gone))
      else if (result.code !== NOT_ALL_ADDED) throw failure(['commit'], place.root, result)
    }
  })
}

async function inOwnDirectory<T>(write: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), `${INDEX_COPY}${process.pid}-`))
  try {
    return await write(directory)
  } finally {
    // At once: a handful of files of ours, for which a loop would wait ten times as long through the thread pool.
    rmSync(directory, { recursive: true, force: true })
  }
}

async function ownIndex(place: Ground, directory: string) {
  const index = join(directory, 'index')
  const { mayHoldOurs } = await copyIndex(join(place.gitDir, 'index'), index)
  const own = {
    directory: place.root,
    // A split index would leave its other half in the user's repository; a checksum of a file that is read twice and
    // thrown away is a waste.
    settings: ['core.splitIndex=false', 'index.skipHash=true'],
    timeLimitMs: ADD_TIME_LIMIT_MS,
  }
  return { own, mayHoldOurs }
}

type Written = { tree: string; leftOut: LeftOut[] }

/** Says whether entries of ours may be in it. */
async function copyIndex(from: string, to: string): Promise<{ mayHoldOurs: boolean }> {
  const file = await open(from, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new RehoboamError('git-broken', `the index ${from} cannot be read (${error.code})`, { path: from })
  })
  if (!file) return { mayHoldOurs: false }
  try {
    // From one handle: git replaces its index by renaming, so that this is one state of it and its time.
    const { mtimeMs } = await file.stat()
    const bytes = await file.readFile()
    await writeFile(to, bytes, { mode: 0o600 })
    // git reads again every file that is not older than its index: a copy with a newer time would hide an edit that
    // was made in the same moment as the user's last git command.
    const seconds = Math.floor(mtimeMs) / 1000
    await utimes(to, seconds, seconds)
    // Version 4 shortens names, and a split index has them in another file.
    const plain = bytes.length > 8 && bytes.readUInt32BE(4) < 4 && !bytes.includes('link\0')
    return { mayHoldOurs: !plain || bytes.includes(OUR_PREFIX) }
  } finally {
    await file.close()
  }
}

type NotTaken = { name: Buffer; leftOut: LeftOut | null }

async function notToTake(place: Ground, untracked: Buffer[]): Promise<NotTaken[]> {
  const found: NotTaken[] = []
  for (let from = 0; from < untracked.length; from += 64) {
    const some = untracked.slice(from, from + 64).map(name => notTaken(place, name))
    found.push(...(await Promise.all(some)).filter(one => one !== null))
  }
  return found
}

async function notTaken(place: Ground, name: Buffer): Promise<NotTaken | null> {
  const path = name.toString('utf8')
  if (isOurs(path)) return null
  // Listed as a directory: a repository inside this one. As a link without its commits it could not be restored.
  if (name.at(-1) === SLASH) {
    // Another working tree of the same repository is no part of this one, and nothing is lost with it.
    const pointer = await readFile(join(place.root, path, '.git'), 'utf8').catch(() => '')
    const linked = pointer.startsWith(`gitdir: ${join(place.commonDir, 'worktrees')}/`)
    return { name, leftOut: linked ? null : { path, bytes: 0, why: 'repository' } }
  }
  const bytes = (await lstat(under(place.root, name)).catch(() => null))?.size ?? 0
  return bytes > LARGE_BYTES ? { name, leftOut: { path, bytes, why: 'large' } } : null
}

/** Their links stay as they are: a commit that only the submodule's own repository has is no checkpoint of anything. */
async function submodules(git: Git, root: string): Promise<Buffer[]> {
  if (!(await lstat(join(root, '.gitmodules')).catch(() => null))) return []
  const entries = names(await git.run(['ls-files', '-z', '--stage'], { directory: root }))
  return entries.filter(entry => entry.toString('latin1', 0, 6) === '160000').map(afterTab)
}

async function isSparse(place: Ground): Promise<boolean> {
  return (await lstat(join(place.gitDir, 'info/sparse-checkout')).catch(() => null)) !== null
}

/** All paths but ours and these, as git reads them from a file. */
function everything(without: Buffer[]): Buffer {
  const ours = ['.', ...OUR_PATHS.map(path => `:(exclude,glob)${path}`), ''].join('\0')
  return Buffer.concat([Buffer.from(ours), ...without.flatMap(excluded)])
}

function excluded(name: Buffer): Buffer[] {
  return [Buffer.from(':(exclude,literal)'), name.at(-1) === SLASH ? name.subarray(0, -1) : name, Buffer.of(0)]
}

/** What could not be added: nobody may read it, or it changes faster than it is read. */
async function notAdded(place: Ground, left: Buffer[], known: Buffer[]): Promise<LeftOut[]> {
  const others = left.filter(name => !known.some(one => one.equals(name)) && !isOurs(name.toString('utf8')))
  const sizes = await Promise.all(others.map(name => lstat(under(place.root, name)).catch(() => null)))
  return others.map((name, at) => ({ path: name.toString('utf8'), bytes: sizes[at]?.size ?? 0, why: 'unreadable' }))
}

function under(root: string, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), name])
}

function afterTab(entry: Buffer): Buffer {
  return entry.subarray(entry.indexOf('\t') + 1)
}
