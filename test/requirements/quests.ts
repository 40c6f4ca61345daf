import type { Requirement } from './requirement.ts'

const where = 'docs/quests.md'

/** Quests: machines, sessions, worktrees and merges. */
export const quests: Requirement[] = [
  {
    id: 'quest-flow',
    where,
    promise:
      'A quest goes through its roles as the flow says: wards, mending, gaps, findings, conflicts, follow-ups, questions, limits, each to its next state.',
  },
  {
    id: 'quest-whole',
    where,
    promise:
      'One quest goes through everything: a question, six steps in a diamond, a red ward, a gap, parts, follow-ups with and without resume, a new plan, a finding; and ends complete, proven, merged.',
  },
  {
    id: 'quest-slots',
    where,
    promise: 'As many sessions work at once as there are slots, and no more; steps wait for what they depend on.',
  },
  {
    id: 'quest-resumes',
    where,
    promise: 'The answer to a question resumes the session that asked, with its history.',
  },
  {
    id: 'quest-restarts',
    where,
    promise: 'What a quest waits for is waited for across restarts of the daemon, and comes once.',
  },
  {
    id: 'quest-flow-drawn',
    where,
    promise:
      'The flow is data: the machine follows it, and docs/quests.md and the help of the command draw it from there.',
  },
  {
    id: 'quest-signal-table',
    where,
    promise:
      'Every cell of signal, role and state of a step is taken with its next state, or refused with a reason that the model sees.',
  },
  {
    id: 'quest-walk',
    where,
    promise:
      'The states of one step in every phase of a quest, paused and stopped too, with counters up to 2 and follow-ups two deep, are walked: none is a dead end, all hold their slots, all survive JSON.',
  },
  {
    id: 'quest-laws',
    where,
    promise:
      'Whatever happens to any graph of steps: dependencies hold, never more than N slots are busy, steps that name the same files do not run side by side, every step is merged once.',
  },
  {
    id: 'quest-plan-checks',
    where,
    promise: 'Unknown and double ids, cycles and missing dependencies are refused with the path that is wrong.',
  },
  {
    id: 'quest-killed',
    where,
    promise:
      'Over random graphs with a daemon that is killed again and again every step is merged once, dependencies and slots hold, and nothing is left behind.',
  },
  {
    id: 'quest-trouble',
    where,
    promise:
      'A session that ends without a signal is cut off and resumed; a wrong, second or foreign signal is refused with a reason; a hanging ward is red; nothing is left running.',
    provenBy: 'both',
  },
  {
    id: 'quest-roles-held',
    where,
    promise: 'What a role may not change is put back as it was, and said.',
  },
  {
    id: 'quest-faults',
    where,
    promise:
      'Garbage and endless lines on stdout are passed over; a client that ignores TERM is ended with all that it started; one that is cut off or silent is resumed, then fresh, then a person is asked; nothing is lost or left running.',
    provenBy: 'both',
  },
  {
    id: 'quest-by-hand',
    where,
    promise:
      'approve, edit, pause, resume, answer, skip, retry and cancel do what they say, also the moment after the daemon was killed; who is resumed while still being paused goes on.',
    provenBy: 'both',
  },
  {
    id: 'quest-tell',
    where,
    promise:
      'What a quest is told reaches those who are there with their next prompt or in their pane, those who are resumed, and everybody who begins later.',
  },
  {
    id: 'quest-cancel',
    where,
    promise:
      'Cancel leaves no process and no disposable worktree; what was merged and what was begun stay on their branches, and resume goes on.',
  },
  {
    id: 'account-limit',
    where,
    promise:
      'A limit that one run waits for holds for every run of the same account: nothing of it starts before the reset, at most 8 days, it is shown, also after a kill; other accounts go on, and so does this one when nobody waits for it any more.',
  },
  {
    id: 'quest-several',
    where,
    promise: 'Several quests at once have never more sessions than the machine may, and none starves.',
    provenBy: 'test:all',
  },
  {
    id: 'quest-resplit',
    where,
    promise: 'After three reds in a row PathSeeker plans the step anew, once; after three more a person is asked.',
  },
  {
    id: 'quest-added-role',
    where,
    promise:
      'A role that a project adds can be asked for a follow-up, and a role that nobody knows is refused by name.',
  },
  {
    id: 'quest-copy',
    where,
    promise: 'What somebody wrote into the copy of quest.json is never believed: it is restored, and show says so.',
  },
  {
    id: 'quest-budget',
    where,
    promise:
      'A quest that reaches --max-cost starts nothing more and ends as over-budget; cost by role is shown, at the end too; resume goes on with a budget anew.',
  },
  {
    id: 'quest-panes',
    where,
    promise:
      'A role with the driver pane works in a pane: it signals over MCP, its end is noticed, and the answer to its question resumes it in a pane.',
    provenBy: 'test:all',
  },
  {
    id: 'quest-away',
    where,
    promise: 'A signal that is sent while the daemon is away is made up for when it is back: the quest goes on.',
  },
]
