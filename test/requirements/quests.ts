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
  {
    id: 'quest-whole',
    where: 'issue 6',
    promise:
      'One quest goes through everything: a question, six steps in a diamond, a red ward, a gap, parts, follow-ups with and without resume, a new plan, a finding; and ends complete, proven, merged.',
  },
  {
    id: 'quest-slots',
    where: 'quests, "Slots and steps"',
    promise: 'As many sessions work at once as there are slots, and no more; steps wait for what they depend on.',
  },
  {
    id: 'quest-resumes',
    where: 'quests, "Signals"',
    promise: 'The answer to a question resumes the session that asked, with its history.',
  },
  {
    id: 'quest-restarts',
    where: 'quests, "When things go wrong"',
    promise: 'What a quest waits for is waited for across restarts of the daemon, and comes once.',
  },
  {
    id: 'quest-signal-table',
    where: 'issue 6',
    promise:
      'Every cell of signal, role and state of a step is taken with its next state, or refused with a reason that the model sees.',
  },
  {
    id: 'quest-walk',
    where: 'issue 6',
    promise:
      'The states of one step in every phase of a quest, paused and stopped too, with counters up to 2 and follow-ups two deep, are walked: none is a dead end, all hold their slots, all survive JSON.',
  },
  {
    id: 'quest-laws',
    where: 'issue 6',
    promise:
      'Whatever happens to any graph of steps: dependencies hold, never more than N slots are busy, steps that name the same files do not run side by side, every step is merged once, replay equals live.',
  },
  {
    id: 'quest-plan-checks',
    where: 'quests, "Slots and steps"',
    promise: 'Unknown and double ids, cycles and missing dependencies are refused with the path that is wrong.',
  },
  {
    id: 'quest-killed',
    where: 'issue 6',
    promise:
      'Over random graphs with a daemon that is killed again and again every step is merged once, dependencies and slots hold, and nothing is left behind.',
  },
  {
    id: 'quest-trouble',
    where: 'quests, "When things go wrong"',
    promise:
      'A session that ends without a signal is cut off and resumed; a wrong, second or foreign signal is refused with a reason; a hanging ward is red; nothing is left running.',
  },
  {
    id: 'quest-roles-held',
    where: 'quests, "Roles"',
    promise: 'What a role may not change is put back as it was, and said.',
  },
  {
    id: 'quest-faults',
    where: 'quests, "When things go wrong"',
    promise:
      'Garbage and endless lines on stdout are passed over; a client that ignores TERM is ended with all that it started; one that is cut off or silent is resumed, then fresh, then a person is asked; nothing is lost or left running.',
  },
]
