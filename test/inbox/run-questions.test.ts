import { expect, onTestFinished, test, vi } from 'vitest'
import type { Answer } from '../../src/contract/question.ts'
import { Inbox } from '../../src/daemon/inbox/inbox.ts'
import { ownQuestion } from '../../src/daemon/inbox/own-question.ts'
import { type Asking, RunQuestions } from '../../src/daemon/inbox/run-questions.ts'
import type { Run } from '../../src/daemon/runtime/live-run.ts'

const ABOUT = {
  kind: 'question',
  run: 'r',
  agent: null,
  step: null,
  text: 'Which?',
  project: '/p',
  askedAt: 1,
} as const
const RUN = { id: 'r', record: { state: {} } } as Run

test('a question whose text could not be read is asked five seconds later, unless it is not wanted any more [inbox-survives]', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const inbox = new Inbox({ write: async () => {}, now: () => 1 })
  let wanted = [{ id: 'read later' }, { id: 'given up' }]
  let isReadable = false
  const asking: Asking<{ id: string }> = {
    wantedBy: () => wanted,
    async question(_, { id }) {
      if (!isReadable) throw new Error('the disk is full')
      return ownQuestion({ ...ABOUT, id })
    },
    words: (_, answer: Answer) => answer.kind,
    answered: text => ({ type: 'answered', text }),
  }
  const said: string[] = []
  const outside = {
    log: (line: string) => void said.push(line),
    postSurely: async () => {},
    textsOf: () => null as never,
  }
  new RunQuestions(outside, inbox, asking).look(RUN)
  await vi.advanceTimersByTimeAsync(4_999)
  expect([inbox.list(), said]).toEqual([[], ['run r: the disk is full', 'run r: the disk is full']])
  isReadable = true
  wanted = wanted.slice(0, 1)
  await vi.advanceTimersByTimeAsync(1)
  expect(inbox.list().map(({ id }) => id)).toEqual(['read later'])
})
