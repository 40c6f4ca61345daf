import type { Requirement } from './requirement.ts'

const pools = 'loops, "Pools"'

export const worktrees: Requirement[] = [
  {
    id: 'worktree-loop',
    where: pools,
    promise: 'A loop with --worktree works in a worktree of its own, on its branch, beside others of the same project.',
  },
  {
    id: 'worktree-untouched',
    where: pools,
    promise: 'The user’s branch, index, stash and tree are never touched by runs in worktrees.',
  },
]
