import { rmSync } from 'node:fs'
import { lstat, mkdtemp, open, readFile, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RehoboamError } from '../../contract/errors.ts'
import type { LeftOut } from '../../ports.ts'
import { emptyTree } from './compare.ts'
import type { Ground } from './ground.ts'
import { INDEX_COPY } from './leftovers.ts'
import { isCommit, type Place } from './locate.ts'
import { isOurs, OUR_PATHS, OUR_PREFIX } from './ours.ts'
import { failure, type Git, type GitOptions, type GitResult, names } from './run-git.ts'

// Data sets, recordings, core dumps: every iteration would store them again. What is tracked is taken whatever its size.
const LARGE_BYTES = 50 * 1024 * 1024
// A tree of a million files on a cold disk; a clean filter for each of them.
const ADD_TIME_LIMIT_MS = 600_000
// Files come and go while agents' leftovers still run; a tree that never holds still is taken as far as it can be.
const ADD_ATTEMPTS = 3
const VANISHED_LIMIT = 50

const SLASH = 0x2f

/** Untracked and not ignored, by the user's own index: asked at once, from anywhere inside the working tree. */
export function listUntracked(git: Git, directory: string): Promise<GitResult> {
  const words = ['ls-files', '-z', '--others', '--exclude-standard', '--full-name', '--', ':/']
  return git.attempt(words, { directory, timeLimitMs: ADD_TIME_LIMIT_MS })
}

/** What `listUntracked` said, or will say: it takes longest, so that all else is made ready meanwhile. */
type Listed = GitResult | Promise<GitResult>

/**
 * The tree that a commit of everything would have now. All of it happens in an index file of our own, a copy of the
 * user's so that files which did not change are not read; a lock on the user's own index does not matter.
 */
export async function writeTree(git: Git, place: Place, untracked: Listed): Promise<Written> {
  return inOwnIndex(git, place, untracked, async ({ own, without, mayHoldOurs }) => {
    const unreadable = await addEverything(git, place, own, without)
    if (mayHoldOurs) await asCommitted(git, place, own)
    return { tree: await git.line(['write-tree'], own), leftOut: unreadable }
  })
}

/**
 * The same with its commit, as one process: what a loop pays after every iteration. Null when something is not as usual
 * (a file that vanishes or cannot be read, no name to commit in, a ref that somebody made meanwhile): then step by step.
 */
export async function writeCommit(
  git: Git,
  place: Ground,
  commit: { ref: string; parent: string | null; message: (leftOut: LeftOut[]) => string },
): Promise<(Written & { commit: string }) | null> {
  return inOwnDirectory(async directory => {
    const write = (name: string, content: string | Buffer) => writeFile(join(directory, name), content)
    const [{ own, mayHoldOurs }, links, sparse] = await Promise.all([
      ownIndex(place, directory),
      submodules(git, place.root).then(async found => {
        await write('known', everything(found))
        return found
      }),
      isSparse(place),
      write('message', commit.message([])),
    ])
    if (mayHoldOurs) return null
    let leftOut: LeftOut[] = []
    // What git does not know is looked at before it is taken.
    const whenAsked = async () => {
      const others = await notToTake(place, names(await readFile(join(directory, 'listed'))))
      leftOut = others.flatMap(one => one.leftOut ?? [])
      const without = [...others.map(({ name }) => name), ...links]
      await Promise.all([write('all', everything(without)), write('message', commit.message(leftOut))])
    }
    const settings = [...own.settings, 'user.useConfigOnly=true', 'core.logAllRefUpdates=false']
    const words = [directory, commit.ref, sparse ? '--sparse' : '', ...(commit.parent ? ['-p', commit.parent] : [])]
    const said = await git.together(COMMIT, words, { ...own, environment: {}, settings, whenAsked })
    const [tree = '', made = ''] = said?.trim().split(/\s/).slice(-2) ?? []
    return isCommit(tree) && isCommit(made) ? { tree, commit: made, leftOut } : null
  })
}

// What is new is listed, by the user's own index, while what git knows is taken into ours: two processors are everywhere.
// Blobs and trees are only written out: the sync of the commit brings them to the disk, as the last one of git's own batches.
// An empty old value: only if nobody made the ref meanwhile.
const COMMIT = `
own=$1 ref=$2 sparse=$3
shift 3
git ls-files -z --others --exclude-standard --full-name -- :/ >"$own/listed" &
export GIT_INDEX_FILE="$own/index"
add="-c core.fsyncMethod=writeout-only add --ignore-errors --pathspec-file-nul $sparse"
git $add --update --pathspec-from-file="$own/known" && wait $! || exit 1
if [ -s "$own/listed" ]; then
  echo '?'
  read -r seen && git $add --all --pathspec-from-file="$own/all" || exit 1
fi
tree=$(git -c core.fsyncMethod=writeout-only write-tree) &&
commit=$(git commit-tree "$tree" "$@" -F "$own/message") &&
git update-ref "$ref" "$commit" '' &&
echo "$tree $commit"
`

type OwnIndex = { own: GitOptions; directory: string; without: Buffer[]; mayHoldOurs: boolean; leftOut: LeftOut[] }

export async function inOwnIndex<T extends Written | null>(
  git: Git,
  place: Ground,
  untracked: Listed,
  write: (index: OwnIndex) => Promise<T>,
): Promise<T> {
  return inOwnDirectory(async directory => {
    const [{ own, mayHoldOurs }, others, links] = await Promise.all([
      ownIndex(place, directory),
      Promise.resolve(untracked).then(listed => {
        if (listed.code !== 0) throw failure(['ls-files'], place.root, listed)
        return notToTake(place, names(listed.out))
      }),
      submodules(git, place.root),
    ])
    const without = [...others.map(({ name }) => name), ...links]
    const leftOut = others.flatMap(one => one.leftOut ?? [])
    const written = await write({ own, directory, without, mayHoldOurs, leftOut })
    return written && { ...written, leftOut: [...leftOut, ...written.leftOut] }
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
    environment: { GIT_INDEX_FILE: index },
    // A split index would leave its other half in the user's repository; a checksum of a file that is read twice and
    // thrown away is a waste.
    settings: ['core.splitIndex=false', 'index.skipHash=true'],
    timeLimitMs: ADD_TIME_LIMIT_MS,
  }
  return { own, mayHoldOurs }
}

export type Written = { tree: string; leftOut: LeftOut[] }

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

async function addEverything(git: Git, place: Place, own: GitOptions, without: Buffer[]): Promise<LeftOut[]> {
  const sparse = (await isSparse(place)) ? ['--sparse'] : []
  const paths = everything(without)
  const words = ['add', '--all', '--ignore-errors', ...sparse, '--pathspec-from-file=-', '--pathspec-file-nul']
  const vanished: Buffer[] = []
  for (let attempt = 1; ; attempt++) {
    const result = await git.attempt(words, { ...own, input: Buffer.concat([paths, ...vanished.flatMap(excluded)]) })
    if (result.code === 0 && vanished.length === 0) return []
    if (result.code === 0 || (result.code === 1 && attempt >= ADD_ATTEMPTS)) {
      return stillDifferent(git, place, own, without)
    }
    if (result.code === 1) continue
    // A file that is gone after it was listed ends all of it: once more without that one.
    const gone = /^fatal: unable to stat '(.*)': No such file/m.exec(result.err)?.[1]
    if (gone === undefined || attempt >= VANISHED_LIMIT) throw failure(words, place.root, result)
    vanished.push(Buffer.from(gone))
  }
}

export async function isSparse(place: Ground): Promise<boolean> {
  return (await lstat(join(place.gitDir, 'info/sparse-checkout')).catch(() => null)) !== null
}

/** All paths but ours and these, as git reads them from a file. */
export function everything(without: Buffer[]): Buffer {
  const ours = ['.', ...OUR_PATHS.map(path => `:(exclude,glob)${path}`), ''].join('\0')
  return Buffer.concat([Buffer.from(ours), ...without.flatMap(excluded)])
}

function excluded(name: Buffer): Buffer[] {
  return [Buffer.from(':(exclude,literal)'), name.at(-1) === SLASH ? name.subarray(0, -1) : name, Buffer.of(0)]
}

/** What could not be added: nobody may read it, or it changes faster than it is read. */
async function stillDifferent(git: Git, place: Place, own: GitOptions, known: Buffer[]): Promise<LeftOut[]> {
  const changed = await git.run(['diff-files', '-z', '--name-only', '--ignore-submodules=all'], own)
  const untracked = await git.run(['ls-files', '-z', '--others', '--exclude-standard'], own)
  const others = [...names(changed), ...names(untracked)].filter(
    name => !known.some(one => one.equals(name)) && !isOurs(name.toString('utf8')),
  )
  const sizes = await Promise.all(others.map(name => lstat(under(place.root, name)).catch(() => null)))
  return others.map((name, at) => ({ path: name.toString('utf8'), bytes: sizes[at]?.size ?? 0, why: 'unreadable' }))
}

/** Roles and prompts that the user has committed stay as they are there; nothing else of ours gets into a commit. */
async function asCommitted(git: Git, place: Place, own: GitOptions): Promise<void> {
  const committed = place.head ?? (await emptyTree(git, place.root))
  const paths = OUR_PATHS.map(path => `:(glob)${path}`)
  const changes = names(await git.run(['diff-index', '-z', '--cached', '--no-renames', committed, '--', ...paths], own))
  const entries: Buffer[] = []
  for (let at = 0; at + 1 < changes.length; at += 2) {
    const [mode, , id] = changes[at]!.toString('latin1').slice(1).split(' ')
    entries.push(Buffer.from(`${mode === '000000' ? '0' : mode} ${id}\t`), changes[at + 1]!, Buffer.of(0))
  }
  if (entries.length > 0)
    await git.run(['update-index', '-z', '--index-info'], { ...own, input: Buffer.concat(entries) })
}

function under(root: string, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), name])
}

function afterTab(entry: Buffer): Buffer {
  return entry.subarray(entry.indexOf('\t') + 1)
}
