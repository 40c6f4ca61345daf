import type { Requirement } from './requirement.ts'

const where = 'docs/worktrees.md'

export const worktrees: Requirement[] = [
  {
    id: 'worktree-loop',
    where,
    promise: 'A loop with --worktree works in a worktree of its own, on its branch, beside others of the same project.',
  },
  {
    id: 'worktree-untouched',
    where,
    promise: 'The user’s branch, index, stash and tree are never touched by runs in worktrees.',
  },
  {
    id: 'worktree-ports',
    where,
    promise: 'Each worktree has a PORT, a block of 20 ports and a TMPDIR of its own, the same after a restart.',
  },
  {
    id: 'worktree-setup',
    where: 'docs/loops.md',
    promise:
      'A worktree gets the configured files and is made ready by the configured command, agreed to if a project brings it.',
  },
  {
    id: 'worktree-prune',
    where,
    promise: 'prune frees worktrees of ended runs that are proven to be kept elsewhere, and says what it kept and why.',
  },
  {
    id: 'merge-queue',
    where,
    promise:
      'Work is merged into the result when it merges and the checks are green on what comes out; else it goes back.',
  },
  {
    id: 'merge-once',
    where,
    promise: 'Cut off between any two steps and done again, work is merged once, and nothing is lost or left behind.',
  },
  {
    id: 'merge-command',
    where,
    promise:
      'merge brings a result into the user’s branch when the forecast is clean and no dirty file is among those changed.',
  },
  {
    id: 'merge-moved',
    where,
    promise: 'A branch that moved since the run began: the checks run on the forecast first, and red ones refuse.',
  },
  {
    id: 'merge-refused',
    where,
    promise: 'A merge that is refused changes nothing, names the files, and says what to type.',
  },
]
