import { expect, test } from 'vitest'
import type { Run } from '../../src/daemon/runtime/live-run.ts'
import { SessionIndex } from '../../src/daemon/runtime/session-index.ts'

/** A loop, as far as the index looks at one: its session changes, and then it calls its listeners. */
function loop() {
  const listeners: (() => void)[] = []
  const record = { state: { kind: 'loop', session: null as { spec: { session: string } } | null } }
  const run = { record, listen: (listener: () => void) => listeners.push(listener) } as unknown as Run
  const work = (session: string) => {
    record.state = { ...record.state, session: { spec: { session } } }
    for (const listener of listeners) listener()
  }
  return { run, work }
}

test('a loop is found by the session of its latest iteration, and by no earlier one [run-of-session]', () => {
  const index = new SessionIndex()
  const { run, work } = loop()
  index.add(run)
  expect(index.find('first')).toBeNull()
  work('first')
  expect(index.find('first')).toBe(run)
  work('second')
  expect([index.find('first'), index.find('second')]).toEqual([null, run])
})
