import { realpath } from 'node:fs/promises'
import type { LoopSpec } from '../../contract/loop.ts'
import type { LoopSpawning } from './spawn-loop.ts'
import { loopDirectoryOf } from './spawn-loop.ts'

/** Where a loop works that does not work in place. Its branch is made now: what stands in its way is said before the run exists. */
export async function worktreeFor(
  { repository, workplaces }: LoopSpawning,
  run: string,
  directory: string,
): Promise<{ project: string; loop: Pick<LoopSpec, 'directory' | 'worktree'> }> {
  const branch = { run, task: null }
  const { commit } = await repository.openBranch({ directory, branch, base: null })
  const project = await workplaces.directoryOf(branch, directory)
  const worktree = { project: await realpath(directory), branch, base: commit }
  return { project, loop: { directory: loopDirectoryOf(project), worktree } }
}
