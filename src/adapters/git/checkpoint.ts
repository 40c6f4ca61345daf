import { RehoboamError } from '../../contract/errors.ts'
import type { Checkpoint, CheckpointRequest, LeftOut } from '../../ports.ts'
import { mustHaveGround } from './git-place.ts'
import { commitId, isCommit } from './locate.ts'
import { refOf } from './refs.ts'
import type { Git } from './run-git.ts'
import { runWithTree } from './working-tree.ts'

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
  const place = await mustHaveGround(git, request.directory)
  const { said, leftOut } = await runWithTree(git, place, {
    script: COMMIT,
    words: [ref, request.parent === null ? '' : commitId(request.parent)],
    message: leftOut => ownMessage(request, leftOut),
    settings: ['core.logAllRefUpdates=false'],
  })
  const [tree = '', commit = ''] = said.split(' ')
  const made = commit ? { tree, commit, leftOut } : await find(git, request.directory, ref)
  if (made) return made
  throw new RehoboamError('git-failed', `git could not make ${ref} in ${place.root}`)
}

// With an empty old value, git makes the ref only when it does not exist.
const COMMIT = `
ref=$1
parent=\${2:-$(git rev-parse --verify --quiet 'HEAD^{commit}')}
commit=$(commit_tree "$tree" \${parent:+-p "$parent"} -F "$own/message") || exit 1
if git update-ref "$ref" "$commit" ''; then echo "$tree $commit"; else git show-ref --verify --quiet "$ref"; fi
`

export async function find(git: Git, directory: string, ref: string): Promise<Checkpoint | null> {
  const words = ['for-each-ref', '--format=%(objectname) %(tree)%0a%(contents)', ref]
  const { code, out } = await git.attempt(words, { directory })
  if (code !== 0) return null
  const [ids = '', ...text] = out.toString('utf8').split('\n')
  const [commit = '', tree = ''] = ids.split(' ')
  return isCommit(commit) && isCommit(tree) ? { commit, tree, leftOut: namedIn(text) } : null
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
