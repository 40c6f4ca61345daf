import type { Requirement } from './requirement.ts'

const loopsPage = 'docs/loops.md'
const poolsPage = 'docs/pools.md'

/** Tasks, planners, workers and their pools. */
export const poolRequirements: Requirement[] = [
  {
    id: 'task-file-read',
    where: loopsPage,
    promise: 'tasks.md is read as people and agents write it: boxes, ids, sections, what belongs to a task.',
  },
  {
    id: 'task-file-kept',
    where: poolsPage,
    promise: 'tasks.md is written from the truth, and what people and agents wrote around the tasks stays.',
  },
  {
    id: 'task-proposals',
    where: poolsPage,
    promise:
      'An agent’s edit of tasks.md is a proposal: new open items are taken in, ticks are not believed, ids are checked and never used again.',
  },
  { id: 'task-same-files', where: poolsPage, promise: 'Tasks that name the same files are recognised.' },
  { id: 'pool-endings', where: poolsPage, promise: 'Every ending of a pool is reached by its own scenario.' },
  {
    id: 'pool-gives-back',
    where: poolsPage,
    promise: 'A worker that dies or cannot start gives its task back, three times at most, and the others go on.',
  },
  {
    id: 'pool-back-to-worker',
    where: poolsPage,
    promise: 'What is red on the result goes back to its worker with the failure; a conflict once, then to a person.',
  },
  {
    id: 'pool-conflict-answer',
    where: poolsPage,
    promise: 'A person’s answer about a conflict sends its worker on, or drops the task.',
  },
  { id: 'pool-plans-again', where: poolsPage, promise: 'When the judge says continue, the planner plans again.' },
  {
    id: 'pool-resume',
    where: poolsPage,
    promise: 'A pool that ended or only planned goes on with the tasks that are left.',
  },
  { id: 'pool-stops', where: poolsPage, promise: 'Cancel and pause reach every child, and nothing starts after them.' },
  {
    id: 'pool-workers',
    where: poolsPage,
    promise:
      'Never more workers than wanted, none twice, none beside one that names the same files; one merge at a time.',
  },
  {
    id: 'pool-no-lost-child',
    where: poolsPage,
    promise: 'A pool follows exactly the children and the merge that it says it has.',
  },
  { id: 'pool-merged-once', where: poolsPage, promise: 'A task is merged once, and never done again after that.' },
  {
    id: 'pool-whole',
    where: poolsPage,
    promise:
      'A plan of seven tasks with a conflict and a broken ward ends merged and green on the result branch, with nothing of the user’s touched.',
  },
  {
    id: 'task-claim-exclusive',
    where: poolsPage,
    promise: 'A claim is exclusive across processes: of many at once each task is given to exactly one.',
  },
  {
    id: 'task-by-hand',
    where: poolsPage,
    promise: 'A person lists, adds, claims, releases and finishes tasks, and is told why where that cannot be.',
  },
  {
    id: 'task-inside-agent',
    where: poolsPage,
    promise: 'From inside an agent a task is changed only with its session’s token and only its own; done is a claim.',
  },
  {
    id: 'pool-planner-alone',
    where: poolsPage,
    promise: 'A planner without workers ends with its plan; without a task it is stalled, without git it is refused.',
  },
  { id: 'role-planner', where: loopsPage, promise: 'A planner is told why it may change nothing but its three files.' },
  { id: 'role-worker', where: loopsPage, promise: 'A worker is told why it may change nothing next door.' },
  {
    id: 'pool-killed',
    where: poolsPage,
    promise: 'However its daemon is killed, a pool merges every task once, loses none, and leaves nothing behind.',
  },
  {
    id: 'role-harmless',
    where: loopsPage,
    promise: 'What a planner or a worker tries to change elsewhere changes nothing, also while nobody listens.',
  },
  {
    id: 'pool-not-started',
    where: poolsPage,
    promise:
      'A worker that cannot start is one failed worker: the others go on, and its task can be tried again later.',
  },
  {
    id: 'pool-flaky-ward',
    where: poolsPage,
    promise: 'Checks that are red once and green when they are run again send no work back.',
  },
  {
    id: 'pool-two-at-once',
    where: poolsPage,
    promise: 'Two pools of one repository work at the same time, the second with a loop directory of its own.',
  },
  {
    id: 'pool-commands',
    where: poolsPage,
    promise: 'Pause, resume and cancel of a pool are for all its children.',
  },
  {
    id: 'pool-loop-directory',
    where: poolsPage,
    promise:
      'A worker whose loop directory is gone gets it back, one that names a wrong one is told so; the planner’s files are never in its place.',
  },
  {
    id: 'task-file-gone',
    where: loopsPage,
    promise: 'tasks.md that somebody deleted is written anew from the journal, and said.',
  },
  {
    id: 'pool-clock-stops',
    where: 'docs/quests.md',
    promise: 'While somebody is asked about a pool or a child of it, its time limit stands still.',
  },
  {
    id: 'pool-tell',
    where: poolsPage,
    promise: 'What is told to a pool is in the next prompts of its workers and of its planner, once each.',
  },
  {
    id: 'pool-ahead',
    where: poolsPage,
    promise:
      'While every worker is busy the worktree of the next task is made, from the newest result; it goes when nobody comes for it.',
  },
  {
    id: 'pool-panes',
    where: poolsPage,
    promise: 'A pool works with --driver pane: its planner and its workers have a pane each.',
    provenBy: 'test:all',
  },
]
