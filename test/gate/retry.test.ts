import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Failure, nothingRan, type Report } from '../../scripts/lanes/report.ts'
import { listedTwice, patternOf, type Retried, retriedLines, toRetry, withRetries } from '../../scripts/lanes/retry.ts'

const failure = (title: string, more: Partial<Failure> = {}): Failure => ({
  file: 'test/daemon/port.test.ts',
  lane: 'daemon',
  titles: [title],
  error: 'waited 180000 ms for a port\nat test/daemon/port.test.ts:7',
  ...more,
})
const failedRun = (...failures: Failure[]): Report => ({
  ...nothingRan,
  passed: 9,
  failed: failures.length,
  failures,
})
const [late, torn] = [failure('is late'), failure('is torn')]
const entry: Retried = {
  test: 'test/daemon/port.test.ts > is late',
  date: '2026-11-18',
  error: 'waited 180000 ms for a port',
}

test('one or two failed tests of the daemon lane are run again [test-retried]', () => {
  expect(toRetry(failedRun(late), [])).toEqual([late])
  expect(toRetry(failedRun(late, torn), [])).toEqual([late, torn])
})

test.each<[string, Report, Retried[]]>([
  ['nothing failed', failedRun(), []],
  ['three tests failed', failedRun(late, torn, failure('third')), []],
  ['a pure test failed', failedRun(late, failure('law', { lane: 'pure' })), []],
  ['an adapter test failed', failedRun(failure('git', { lane: 'adapters' })), []],
  ['a kill story failed', failedRun(failure('seed 3', { lane: 'kill' })), []],
  ['the test is listed already', failedRun(late), [entry]],
  ['a file did not load', failedRun(failure('', { titles: [], isOutside: true })), []],
  ['an error was caught by no test', { ...failedRun(late), failed: 2 }, []],
  ['the promises and the tests do not agree', { ...failedRun(late), complaints: 1 }, []],
])('nothing is run again when %s [test-retried]', (_, report, listed) => {
  expect(toRetry(report, listed)).toEqual([])
})

test('the pattern of a test matches its whole name and nothing longer [test-retried]', () => {
  const pattern = new RegExp(patternOf(failure('', { titles: ['of (two)', 'a+b [x-y]'] })))
  expect(
    ['of (two) a+b [x-y]', 'of (two) > a+b [x-y]', 'of (two) a+b [x-y] z'].map(name => pattern.test(name)),
  ).toEqual([true, true, false])
})

test('a retried test counts as what came of its second try [test-retried]', () => {
  const tries = [
    { failure: late, second: { ...nothingRan, passed: 1 } },
    { failure: torn, second: failedRun(torn) },
  ]
  expect(withRetries(failedRun(late, torn), tries)).toMatchObject({ passed: 10, failed: 1, failures: [torn] })
})

test('both errors are printed, and the entry for the list when the second try passed [test-retried]', () => {
  const again = failure('is late', { error: 'still late' })
  expect(retriedLines([{ failure: late, second: failedRun(again) }], '2026-11-18')).toEqual([
    'retried alone: test/daemon/port.test.ts > is late',
    '  first:  waited 180000 ms for a port\n          at test/daemon/port.test.ts:7',
    '  second: still late',
  ])
  const [, , unknown, ...rest] = retriedLines([{ failure: late, second: nothingRan }], '2026-11-18')
  expect([unknown, rest]).toEqual(['  second: the test did not run to its end', []])
  const [, , second, add] = retriedLines([{ failure: late, second: { ...nothingRan, passed: 1 } }], '2026-11-18')
  expect(second).toBe('  second: passed')
  expect(add).toContain(JSON.stringify(entry))
})

test('a test that stands in the list twice is named [test-retried]', () => {
  expect(listedTwice([entry, { ...entry, test: 'other' }])).toEqual([])
  expect(listedTwice([entry, { ...entry, date: '2026-12-01' }])).toEqual([entry.test])
})

test('no test stands in test/retried.json twice [test-retried]', () => {
  expect(listedTwice(JSON.parse(readFileSync(join(import.meta.dirname, '../retried.json'), 'utf8')))).toEqual([])
})
