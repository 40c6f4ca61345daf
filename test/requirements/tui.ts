import type { Requirement } from './requirement.ts'

const where = 'docs/dashboard.md'

export const tui: Requirement[] = [
  {
    id: 'tui-screens',
    where,
    promise:
      'Every view fits any size of terminal and any number of agents, in any colours. Only what differs is written, and nothing that an agent wrote is obeyed.',
  },
  {
    id: 'tui-header',
    where,
    promise: 'The header says what needs you and counts by status. Agents stand by status, attention first.',
  },
  {
    id: 'tui-away',
    where,
    promise: 'A daemon that is away is said, and when it is back the dashboard shows what is, without a wrong number.',
  },
  {
    id: 'tui-leaving',
    where,
    promise:
      'However it is left (q, Ctrl-C, SIGTERM, a crash), the terminal is as it was, and nothing is stopped by it.',
  },
  { id: 'tui-plain', where, promise: 'With --plain it tells lines: no other screen, no drawing, the same keys.' },
  {
    id: 'tui-day',
    where,
    promise:
      'With the real client a day can be done with the keyboard: spawn a loop and a quest, watch, answer, look at a diff, jump to a pane, pause, cancel, search, quit, come back.',
  },
  {
    id: 'tui-answers',
    where,
    promise:
      'A question can be read whole and is answered with a text, an option or a reason, several at once. A question that closed meanwhile is not replaced by its neighbour.',
  },
  {
    id: 'tui-deeds',
    where,
    promise: 'Each key asks for what the command of the same name asks for, and c copies that command.',
  },
  {
    id: 'tui-graph',
    where,
    promise:
      'A quest’s steps are a graph whose lines lead from each step to those that wait for it; a list where it has no room.',
  },
  {
    id: 'tui-rest',
    where,
    promise:
      'At rest it looks again only when a time that it shows has grown older, and keeps no more than a bounded past.',
  },
  {
    id: 'tui-spawn-checked',
    where,
    promise:
      'The spawn dialog is edited like any text, is checked as one types, and sends what the command would send.',
  },
  {
    id: 'tui-stories',
    where,
    promise:
      'Whatever the keys promise is done in a real terminal: answers, marks, mute, freeze, copy, paste, plans, steps, tasks, merge.',
    provenBy: 'both',
  },
]
