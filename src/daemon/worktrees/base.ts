import { RehoboamError } from '../../contract/errors.ts'
import type { Repository } from '../../ports.ts'

// Enough to see what it is about.
const NAMED = 10

/** What a run in worktrees would begin without: nothing before the first commit, because then the files are its base. */
export async function dirtyBase(repository: Repository, directory: string): Promise<string[]> {
  const found = await repository.repositoryAt(directory)
  if (!found) {
    throw new RehoboamError('git-none', `${directory} is not in a git repository, and worktrees need one; git init`)
  }
  return found.head === null ? [] : found.dirty
}

/** Before a run in worktrees exists. */
export async function refuseDirty(repository: Repository, directory: string, agreed: boolean): Promise<void> {
  const dirty = await dirtyBase(repository, directory)
  if (dirty.length > 0 && !agreed) throw new RehoboamError('agreement-needed', dirtySentence(dirty), { dirty })
}

function dirtySentence(dirty: string[]): string {
  const more = dirty.length > NAMED ? ` and ${dirty.length - NAMED} more` : ''
  const named = dirty.slice(0, NAMED).map(path => JSON.stringify(path))
  return `these files are not committed, and a worktree begins with HEAD, without them: ${named.join(', ')}${more}; git commit, or --yes goes without`
}
