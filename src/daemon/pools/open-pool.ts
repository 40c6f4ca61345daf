import { stat } from 'node:fs/promises'
import type { RunEvent } from '../../contract/event.ts'
import type { Run } from '../runtime/run.ts'
import { type PoolOutside, poolOf } from './pool-outside.ts'

/** The result branch, from HEAD as it is now. The loop directory is its planner's to make. */
export async function openPool(outside: PoolOutside, run: Run, key: string): Promise<RunEvent> {
  const { project: directory } = poolOf(run).spec
  const isThere = await stat(directory).then(
    found => found.isDirectory(),
    () => false,
  )
  if (!isThere) return { type: 'pool-not-opened', effect: key, cause: 'project-missing' }
  const repository = await outside.repository.locate(directory)
  if (repository?.inProgress) return { type: 'pool-not-opened', effect: key, cause: 'git-busy' }
  const { commit } = await outside.repository.openBranch({ directory, branch: { run: run.id, task: null }, base: null })
  const tree = await outside.repository.treeAt({ directory, commit })
  return { type: 'pool-opened', effect: key, base: { commit, tree }, notes: [] }
}
