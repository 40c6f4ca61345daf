import type { Requirement } from './requirement.ts'

const where = 'README.md'

export const view: Requirement[] = [
  {
    id: 'view-end-words',
    where,
    promise: 'The last line of a run says what, why, how long, how much, and what to type next.',
  },
  { id: 'view-event-words', where, promise: 'No event’s words can move a cursor.' },
  { id: 'view-output', where, promise: 'What an agent says keeps its lines; its thoughts are not shown.' },
  {
    id: 'view-plain-json',
    where,
    promise: 'JSON for a terminal holds the same data, with nothing in it that a terminal could obey.',
  },
  { id: 'view-plain-line', where, promise: 'A line is one line, and no longer than asked.' },
  { id: 'view-plain-text', where, promise: 'Whatever a session writes, no control byte comes out.' },
  { id: 'view-table', where, promise: 'A table has its columns under each other, whatever letters are in it.' },
  { id: 'view-width', where, promise: 'The width of a text is the sum of its parts.' },
  { id: 'view-words', where, promise: 'Durations, costs and counts read as people write them.' },
]
