import type { Requirement } from './requirement.ts'

const flow = 'quests, "Flow"'

/** Quests: machines, sessions, worktrees and merges. */
export const quests: Requirement[] = [
  {
    id: 'quest-flow',
    where: flow,
    promise:
      'A quest goes through its roles as the flow says: wards, mending, gaps, findings, conflicts, follow-ups, questions, limits, each to its next state.',
  },
]
