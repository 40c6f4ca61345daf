import { expect, test } from 'vitest'
import { readLine } from '../../src/adapters/journal/line.ts'
import { RunEvent, type Stamped } from '../../src/contract/event.ts'
import { advance, type RunRecord } from '../../src/core/run/advance.ts'
import { runSummary } from '../../src/core/run/run-view.ts'
import { recordedRuns } from './recorded.ts'

const again = 'the form of journals has changed; record them again: node test/journal/record-journals.ts'

function eventOf(line: string): Stamped {
  const read = readLine(line)
  if (!read.ok) throw new Error(read.why)
  return read.event
}

test('runs of every kind are recorded [journal-recorded]', () => {
  const kinds = recordedRuns().map(({ recorded }) => recorded.summary.kind)
  expect(new Set(kinds)).toEqual(new Set(['session', 'loop', 'pool', 'quest']))
})

test.for(recordedRuns())('$name: every event has the form that is read today [journal-recorded]', ({ recorded }) => {
  for (const line of recorded.journal) {
    const { seq: _, at: __, ...event } = eventOf(line)
    expect(RunEvent.parse(event), again).toEqual(event)
  }
})

test.for(recordedRuns())('$name: its replay gives what the daemon said about it [journal-recorded]', ({ recorded }) => {
  const record = recorded.journal.reduce<RunRecord | null>((so, line) => advance(so, eventOf(line)).record, null)!
  expect(
    runSummary(record.state, ms => new Date(ms).toISOString()),
    again,
  ).toEqual(recorded.summary)
  expect(record.pending, again).toEqual({})
})
