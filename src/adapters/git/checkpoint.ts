import { RehoboamError } from '../../contract/errors.ts'
import type { Checkpoint, CheckpointRequest, LeftOut } from '../../ports.ts'
import { groundAt } from './ground.ts'
import { commitId, isCommit, mustLocate, type Place } from './locate.ts'
import { refOf } from './refs.ts'
import { failure, type Git } from './run-git.ts'
import { listUntracked, type Written, writeCommit, writeTree } from './working-tree.ts'

const OURS = {
  GIT_AUTHOR_NAME: 'Rehoboam',
  GIT_AUTHOR_EMAIL: 'rehoboam@localhost',
  GIT_COMMITTER_NAME: 'Rehoboam',
  GIT_COMMITTER_EMAIL: 'rehoboam@localhost',
}
const SUBJECT_LIMIT = 200
// The message names what is missing, for people and for a second call; a thousand names would be no message.
const NAMED_LIMIT = 100
const LEFT_OUT = 'Rehoboam-Left-Out: '

/**
 * Keeps the whole working tree of the repository as a commit on a ref of ours. The user's index, HEAD, branches, stash,
 * reflogs and files stay as they are, to the byte. A second call for the same run and iteration finds the first one's.
 */
export async function checkpoint(git: Git, request: CheckpointRequest): Promise<Checkpoint> {
  const ref = refOf(request.run, request.iteration)
  return (await atOnce(git, request, ref)) ?? stepByStep(git, request, ref)
}

/** What follows another one needs not ask what is checked out, and where the repository is does not change. */
async function atOnce(git: Git, request: CheckpointRequest, ref: string): Promise<Checkpoint | null> {
  if (request.parent === null) return null
  const parent = commitId(request.parent)
  const ground = await groundAt(git, request.directory).catch(() => null)
  return ground && writeCommit(git, ground, { ref, parent, message: leftOut => ownMessage(request, leftOut) })
}

async function stepByStep(git: Git, request: CheckpointRequest, ref: string): Promise<Checkpoint> {
  const { directory } = request
  const place = await mustLocate(git, directory, ref)
  const kept = (place.at || !place.head) && (await find(git, directory, ref))
  if (kept) return kept

  const parent = request.parent === null ? place.head : commitId(request.parent)
  const text = (leftOut: LeftOut[]) => ownMessage(request, leftOut)
  // The others have been tried so.
  const isFirst = request.parent === null
  const quick = isFirst && (await writeCommit(git, place, { ref, parent, message: text }))
  if (quick) return quick

  const { tree, leftOut } = await writeTree(git, place, listUntracked(git, directory))
  const commit = await commitTree(git, place, tree, parent ? [parent] : [], text(leftOut))
  // An id of zeros: only if nobody made it meanwhile.
  const made = await git.attempt(['update-ref', ref, commit, '0'.repeat(commit.length)], {
    directory: place.root,
    settings: ['core.logAllRefUpdates=false'],
  })
  if (made.code === 0) return { commit, tree, leftOut }
  const first = await find(git, directory, ref)
  if (first) return first
  throw new RehoboamError('git-failed', `git could not make ${ref} in ${place.root}: ${made.err.trim().slice(0, 300)}`)
}

/** The tree that a checkpoint would have now. */
export async function treeOf(git: Git, directory: string): Promise<Written> {
  const [place, untracked] = await Promise.all([mustLocate(git, directory), listUntracked(git, directory)])
  return writeTree(git, place, untracked)
}

export async function find(git: Git, directory: string, ref: string): Promise<Checkpoint | null> {
  const words = ['for-each-ref', '--format=%(objectname) %(tree)%0a%(contents)', ref]
  const { code, out } = await git.attempt(words, { directory })
  if (code !== 0) return null
  const [ids = '', ...text] = out.toString('utf8').split('\n')
  const [commit = '', tree = ''] = ids.split(' ')
  return isCommit(commit) && isCommit(tree) ? { commit, tree, leftOut: namedIn(text) } : null
}

/** In the user's name, when they have told git who they are; never in one that git makes up from the machine's. */
export async function commitTree(
  git: Git,
  place: Pick<Place, 'root'>,
  tree: string,
  parents: string[],
  input: string,
  environment: Record<string, string> = {},
) {
  const words = ['commit-tree', tree, ...parents.flatMap(parent => ['-p', parent]), '-F', '-']
  const options = { directory: place.root, input, environment, settings: ['user.useConfigOnly=true'] }
  const theirs = await git.attempt(words, options)
  if (theirs.code === 0) return theirs.out.toString('utf8').trim()
  if (!/tell me who you are|empty ident name|no (?:name|email) was given/i.test(theirs.err)) {
    throw failure(words, place.root, theirs)
  }
  return git.line(words, { ...options, environment: { ...environment, ...OURS } })
}

/** `task`: of a pool's worker. */
export function ownMessage(
  {
    run,
    task,
    iteration,
    subject,
  }: Pick<CheckpointRequest, 'run' | 'iteration' | 'subject'> & { task?: string | null },
  leftOut: LeftOut[],
): string {
  const line = subject.replace(/\p{Cc}+/gu, ' ').trim()
  return [
    line.slice(0, SUBJECT_LIMIT) || `Checkpoint ${iteration}`,
    '',
    `Rehoboam-Run: ${run}`,
    ...(task ? [`Rehoboam-Task: ${task}`] : []),
    `Rehoboam-Iteration: ${iteration}`,
    ...leftOut.slice(0, NAMED_LIMIT).map(one => LEFT_OUT + JSON.stringify(one)),
    '',
  ].join('\n')
}

/** Only our own messages are read, but a person may have moved the ref. */
function namedIn(lines: string[]): LeftOut[] {
  return lines
    .filter(line => line.startsWith(LEFT_OUT))
    .flatMap(line => {
      try {
        return [JSON.parse(line.slice(LEFT_OUT.length)) as LeftOut]
      } catch {
        return []
      }
    })
}
