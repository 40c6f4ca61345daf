import { stat } from 'node:fs/promises'
import type { RunEvent } from '../../contract/event.ts'
import type { Run } from '../runtime/run.ts'
import { type QuestOutside, questOf } from './quest-outside.ts'

/** The result branch, from HEAD as it is now. */
export async function openQuest(outside: QuestOutside, run: Run, key: string): Promise<RunEvent> {
  const { project: directory } = questOf(run).spec
  const { repository } = outside
  const isThere = await stat(directory).then(
    found => found.isDirectory(),
    () => false,
  )
  if (!isThere) return { type: 'quest-not-opened', effect: key, cause: 'project-missing' }
  const located = await repository.locate(directory)
  if (located?.inProgress) return { type: 'quest-not-opened', effect: key, cause: 'git-busy' }
  await repository.exclude(directory, ['.rehoboam/quests/'])
  const { commit } = await repository.openBranch({ directory, branch: { run: run.id, task: null }, base: null })
  const tree = await repository.treeAt({ directory, commit })
  return { type: 'quest-opened', effect: key, base: { commit, tree }, notes: [] }
}
