import type { Requirement } from './requirement.ts'

const where = 'docs/dashboard.md'

export const tui: Requirement[] = [
  {
    id: 'tui-screens',
    where,
    promise:
      'Every view fits 80x24, 120x40 and 200x60 with none, one, thirty and a thousand agents and whatever an agent may write: no row too wide, no control byte, no wrapping.',
  },
  {
    id: 'tui-colours',
    where,
    promise: '16 and 256 colours colour and nothing else; without colours there is no escape.',
  },
  {
    id: 'tui-header',
    where,
    promise: 'The header says what needs you, counts by status, the task queue, the team and the money of today.',
  },
  { id: 'tui-agents', where, promise: 'Agents stand by status, attention first; a loop’s card carries its iteration.' },
  {
    id: 'tui-away',
    where,
    promise: 'A daemon that is away is said, and the dashboard catches up by itself without a wrong number.',
  },
  { id: 'tui-incremental', where, promise: 'A board that is kept up to date equals one that is made anew.' },
  { id: 'tui-inbox-whole', where, promise: 'A question can be read to its last character before it is answered.' },
  {
    id: 'tui-leaving',
    where,
    promise:
      'However it is left (q, Ctrl-C, SIGTERM, a crash), the terminal is as it was, and nothing is stopped by it.',
  },
  { id: 'tui-sizes', where, promise: 'It follows a terminal that changes its size.' },
  { id: 'tui-plain', where, promise: 'With --plain it tells lines: no other screen, no drawing, the same keys.' },
  {
    id: 'tui-catches-up',
    where,
    promise: 'When the daemon dies or is stopped the dashboard says so, and shows what is when it is back.',
  },
  {
    id: 'tui-draws',
    where,
    promise:
      'Only lines that differ are written, nothing when nothing differs, and nothing that an agent wrote is obeyed.',
  },
  {
    id: 'tui-day',
    where,
    promise:
      'With the real client a day can be done with the keyboard: spawn a loop and a quest, watch, answer, look at a diff, jump to a pane, pause, cancel, search, quit, come back.',
  },
  {
    id: 'tui-marks',
    where,
    promise: 'Several questions are marked and answered at once; each has its own outcome.',
  },
  {
    id: 'tui-answers',
    where,
    promise: 'A question is answered with a text, an option by number, a reason, or always for this run.',
  },
  {
    id: 'tui-closed',
    where,
    promise:
      'A key is about what was on the screen: a question that was closed meanwhile is not replaced by its neighbour.',
  },
  { id: 'tui-deeds', where, promise: 'Each key asks for what the command of the same name asks for.' },
  { id: 'tui-copies', where, promise: 'c copies the command that does the same, quoted for a shell.' },
  {
    id: 'tui-graph',
    where,
    promise:
      'A quest’s steps are a graph whose lines lead from each step to those that wait for it; a list where it has no room.',
  },
  { id: 'tui-rest', where, promise: 'At rest it looks again only when a time that it shows has grown older.' },
  { id: 'tui-board-bounded', where, promise: 'What is kept of the past is bounded, however long it is left open.' },
  {
    id: 'tui-spawn-checked',
    where,
    promise:
      'The spawn dialog is checked as one types, for a loop as for a quest, and sends what the command would send.',
  },
  {
    id: 'tui-typing',
    where,
    promise: 'Text is typed, edited and pasted over several lines, by what a reader calls characters.',
  },
  {
    id: 'tui-watch',
    where,
    promise: 'Whoever watches is told when the daemon is away and why, and everything anew when it is back.',
  },
  {
    id: 'tui-stories',
    where,
    promise:
      'Whatever the keys promise is done in a real terminal: answers, marks, mute, freeze, copy, paste, plans, steps, tasks, merge.',
    provenBy: 'both',
  },
]
