import { join } from 'node:path'
import type { OwnBranch } from '../../src/ports.ts'
import { RUN, type scratch } from './scratch.ts'

export type Place = ReturnType<typeof scratch>

export const RESULT: OwnBranch = { run: RUN, task: null }
export const work = (task: string): OwnBranch => ({ run: RUN, task })
export const pathOf = (place: Place, task: string) => join(place.root, 'state/worktrees', `${RUN}.${task}`)
export const requestOf = (place: Place, task: string) => ({
  repository: place.project,
  path: pathOf(place, task),
  branch: work(task),
  base: null,
})

/** The result branch, and a worktree on the branch of a task. */
export async function begun(place: Place, task = 'T1') {
  const { commit } = await place.repository.openBranch({ directory: place.project, branch: RESULT, base: null })
  await place.repository.workWorktree({ ...requestOf(place, task), base: commit })
  return commit
}
export const left = (place: Place, iteration: number, task = 'T1') =>
  place.repository.commitLeft({ ...requestOf(place, task), iteration, subject: `task ${task}` })
export const inside =
  (place: Place, task = 'T1') =>
  (path: string, text: string) =>
    place.write(path, text, pathOf(place, task))
export const refs = (place: Place) => place.git(['for-each-ref', '--format=%(refname)']).trim().split('\n')
