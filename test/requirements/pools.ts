import type { Requirement } from './requirement.ts'

const directory = 'loops, "The loop directory"'
const pools = 'loops, "Pools"'

/** Tasks, planners, workers and their pools. */
export const poolRequirements: Requirement[] = [
  {
    id: 'task-file-read',
    where: directory,
    promise: 'tasks.md is read as people and agents write it: boxes, ids, sections, what belongs to a task.',
  },
  {
    id: 'task-file-kept',
    where: 'issue 5',
    promise: 'tasks.md is written from the truth, and what people and agents wrote around the tasks stays.',
  },
  {
    id: 'task-proposals',
    where: pools,
    promise:
      'An agent’s edit of tasks.md is a proposal: new open items are taken in, ticks are not believed, ids are checked and never used again.',
  },
  { id: 'task-same-files', where: pools, promise: 'Tasks that name the same files are recognised.' },
]
