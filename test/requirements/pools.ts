import type { Requirement } from './requirement.ts'

const directory = 'loops, "The loop directory"'
const pools = 'loops, "Pools"'
const roles = 'loops, "Roles are harmless"'

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
  { id: 'pool-endings', where: pools, promise: 'Every ending of a pool is reached by its own scenario.' },
  {
    id: 'pool-gives-back',
    where: pools,
    promise: 'A worker that dies or cannot start gives its task back, three times at most, and the others go on.',
  },
  {
    id: 'pool-back-to-worker',
    where: pools,
    promise: 'What is red on the result goes back to its worker with the failure; a conflict once, then to a person.',
  },
  {
    id: 'pool-conflict-answer',
    where: pools,
    promise: 'A person’s answer about a conflict sends its worker on, or drops the task.',
  },
  { id: 'pool-plans-again', where: pools, promise: 'When the judge says continue, the planner plans again.' },
  {
    id: 'pool-resume',
    where: pools,
    promise: 'A pool that ended or only planned goes on with the tasks that are left.',
  },
  { id: 'pool-stops', where: pools, promise: 'Cancel and pause reach every child, and nothing starts after them.' },
  { id: 'pool-ended-stays', where: pools, promise: 'An ended pool stays ended until somebody resumes it.' },
  {
    id: 'pool-replay',
    where: 'architecture, "Truth"',
    promise: 'Replaying a pool gives what it was, from any snapshot.',
  },
  {
    id: 'pool-workers',
    where: pools,
    promise:
      'Never more workers than wanted, none twice, none beside one that names the same files; one merge at a time.',
  },
  {
    id: 'pool-no-lost-child',
    where: pools,
    promise: 'A pool follows exactly the children and the merge that it says it has.',
  },
  { id: 'pool-merged-once', where: 'issue 5', promise: 'A task is merged once, and never done again after that.' },
  { id: 'pool-never-hangs', where: pools, promise: 'A pool that is active waits for something that will come.' },
  {
    id: 'pool-state-json',
    where: 'architecture, "Truth"',
    promise: 'Every state of a pool is JSON that faces can show.',
  },
  {
    id: 'pool-whole',
    where: 'issue 5',
    promise:
      'A plan of seven tasks with a conflict and a broken ward ends merged and green on the result branch, with nothing of the user’s touched.',
  },
  {
    id: 'task-claim-exclusive',
    where: pools,
    promise: 'A claim is exclusive across processes: of many at once each task is given to exactly one.',
  },
  {
    id: 'task-by-hand',
    where: 'product, "The surface"',
    promise: 'A person lists, adds, claims, releases and finishes tasks, and is told why where that cannot be.',
  },
  {
    id: 'task-inside-agent',
    where: 'product, "Trust"',
    promise: 'From inside an agent a task is changed only with its session’s token and only its own; done is a claim.',
  },
  {
    id: 'pool-planner-alone',
    where: 'product, decisions',
    promise: 'A planner without workers ends with its plan; without a task it is stalled, without git it is refused.',
  },
  { id: 'role-planner', where: roles, promise: 'A planner is told why it may change nothing but its three files.' },
  { id: 'role-worker', where: roles, promise: 'A worker is told why it may change nothing next door.' },
  {
    id: 'pool-killed',
    where: 'issue 5',
    promise: 'However its daemon is killed, a pool merges every task once, loses none, and leaves nothing behind.',
  },
  {
    id: 'role-harmless',
    where: roles,
    promise: 'What a planner or a worker tries to change elsewhere changes nothing, also while nobody listens.',
  },
  {
    id: 'pool-not-started',
    where: pools,
    promise:
      'A worker that cannot start is one failed worker: the others go on, and its task can be tried again later.',
  },
  {
    id: 'pool-flaky-ward',
    where: 'issue 5',
    promise: 'Checks that are red once and green when they are run again send no work back.',
  },
  {
    id: 'pool-two-at-once',
    where: 'issue 5',
    promise: 'Two pools of one repository work at the same time, the second with a loop directory of its own.',
  },
  {
    id: 'pool-commands',
    where: pools,
    promise: 'Pause, resume and cancel of a pool are for all its children.',
  },
  {
    id: 'pool-loop-directory',
    where: 'issue 5',
    promise:
      'A worker whose loop directory is gone gets it back, one that names a wrong one is told so; the planner’s files are never in its place.',
  },
  {
    id: 'task-file-gone',
    where: 'loops, "Where a run\'s truth is"',
    promise: 'tasks.md that somebody deleted is written anew from the journal, and said.',
  },
  {
    id: 'pool-clock-stops',
    where: 'quests, "When things go wrong"',
    promise: 'While somebody is asked about a pool or a child of it, its time limit stands still.',
  },
  {
    id: 'pool-tell',
    where: 'product, "The surface"',
    promise: 'What is told to a pool is in the next prompts of its workers and of its planner, once each.',
  },
  {
    id: 'pool-ahead',
    where: 'issue 5',
    promise:
      'While every worker is busy the worktree of the next task is made, from the newest result; it goes when nobody comes for it.',
  },
  {
    id: 'pool-panes',
    where: pools,
    promise: 'A pool works with --driver pane: its planner and its workers have a pane each.',
    provenBy: 'test:all',
  },
]
