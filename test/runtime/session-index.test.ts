import { expect, test } from 'vitest'
import type { Run } from '../../src/daemon/runtime/live-run.ts'
import { SessionIndex } from '../../src/daemon/runtime/session-index.ts'
import { CREATED, ended, makeRuns, RUN } from './house.ts'

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

test('a run is found by its session when it was just made, when it has ended, and after a restart [run-of-session]', async () => {
  await using house = makeRuns()
  await house.runs.load()
  const run = await house.runs.create(RUN, CREATED)
  const { session } = run.record.state.spec
  expect(house.runs.findBySession(session)).toBe(run)
  await run.post(ended(1))
  expect(house.runs.findBySession(session)).toBe(run)
  const again = house.again()
  await again.runs.load()
  expect(again.runs.findBySession(session)?.id).toBe(RUN)
  expect(again.runs.findBySession(RUN)).toBeNull()
  await again.runs.close()
})
