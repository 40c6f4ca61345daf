import { join } from 'node:path'
import type { ParentOutside } from '../parent/parent-outside.ts'
import type { Family } from '../parent/parents.ts'
import type { Run } from '../runtime/live-run.ts'
import { poolOf } from '../runtime/run-kinds.ts'
import { poolAsking, type WantedByPool } from './pool-questions.ts'
import { SparePlaces } from './spare-place.ts'
import { projectTasks, readTasks } from './tasks.ts'
import { poolChildren } from './workers.ts'

/** What only pools have: a planner, workers in worktrees of their own, and tasks.md. */
export function poolFamily(outside: ParentOutside): Family<WantedByPool> {
  const spare = new SparePlaces(outside)
  return {
    kind: 'pool',
    children: poolChildren(outside),
    asking: poolAsking(outside),
    write: run => projectTasks(outside, run),
    async perform(run, { key, effect }) {
      return effect.do === 'read-tasks' ? { type: 'tasks-read', effect: key, ...(await readTasks(outside, run)) } : null
    },
    look: run => spare.look(run),
    async leave(run) {
      await removePlanner(outside, run)
      await spare.leave(run)
    },
  }
}

async function removePlanner({ log, repository, home }: ParentOutside, run: Run): Promise<void> {
  const path = join(home, 'worktrees', `${run.id}-planner`)
  await repository
    .removeWorktree({ repository: poolOf(run).spec.project, path })
    .catch(error => log(`run ${run.id}: ${(error as Error).message}`))
}
