import type { Requirement } from './requirement.ts'

const where = 'README.md'

export const view: Requirement[] = [
  {
    id: 'view-end-words',
    where,
    promise: 'The last line of a run says what, why, how long, how much, and what to type next.',
  },
  { id: 'view-output', where, promise: 'What an agent says keeps its lines; its thoughts are not shown.' },
  {
    id: 'view-plain-text',
    where,
    promise: 'Whatever a session writes, no control byte comes out, in text, in a line or in JSON.',
  },
  {
    id: 'view-words',
    where,
    promise: 'Durations, costs and counts read as people write them, in columns that stand under each other.',
  },
]
