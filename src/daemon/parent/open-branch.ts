import { isDirectory } from '../../adapters/is-directory.ts'
import type { RunEvent } from '../../contract/event.ts'
import type { Run } from '../runtime/live-run.ts'
import { parentOf } from '../runtime/run-kinds.ts'
import type { ParentOutside } from './parent-outside.ts'

/** Makes the result branch of a pool or a quest, from HEAD as it is now. */
export async function openBranch(outside: ParentOutside, run: Run, key: string): Promise<RunEvent> {
  const { kind, spec } = parentOf(run)
  const { project: directory } = spec
  const { repository } = outside
  if (!(await isDirectory(directory))) return { type: 'branch-not-opened', effect: key, cause: 'project-missing' }
  const located = await repository.locate(directory)
  if (located?.inProgress) return { type: 'branch-not-opened', effect: key, cause: 'git-busy' }
  if (kind === 'quest') await repository.exclude(directory, ['.rehoboam/quests/'])
  const { commit } = await repository.openBranch({ directory, branch: { run: run.id, task: null }, base: null })
  const tree = await repository.treeAt({ directory, commit })
  return { type: 'branch-opened', effect: key, base: { commit, tree }, notes: [] }
}
