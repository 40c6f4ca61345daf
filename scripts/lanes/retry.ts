import { RETRIED_LANES } from './lane.ts'
import { type Failure, nameOf, type Report } from './report.ts'

/** A busy machine fails one test or two. More than that is a defect, and trying it again would hide it. */
const MOST = 2

/** A test that once passed only when it was run again, alone: an entry of test/retried.json. */
export interface Retried {
  test: string
  date: string
  error: string
}

/** The failures to run once more, alone: none, or all of them. */
export function toRetry(report: Report, listed: Retried[]): Failure[] {
  const { failures } = report
  const isRetried = (failure: Failure) =>
    !failure.isOutside && RETRIED_LANES.includes(failure.lane) && !listed.some(({ test }) => test === nameOf(failure))
  // A failure without an entry is an error that no test caught.
  const isWhole = report.failed === failures.length && report.complaints === 0
  return isWhole && failures.length <= MOST && failures.every(isRetried) ? failures : []
}

/** A pattern for `vitest -t` that fits this test alone. */
export function patternOf({ titles }: Failure): string {
  const escaped = titles.map(title => title.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&'))
  return `^${escaped.join('(?: > | )')}$`
}

/** A failed test, and the report of the run in which it was alone. */
export interface Try {
  failure: Failure
  second: Report
}

/** Returns the report of the whole run with the outcome of the second tries. */
export function withRetries(report: Report, tries: Try[]): Report {
  const passedAlone = tries.filter(hasPassed).length
  return {
    ...report,
    passed: report.passed + passedAlone,
    failed: report.failed - passedAlone,
    failures: tries.filter(one => !hasPassed(one)).map(({ failure }) => failure),
  }
}

/** What is printed of retried tests: both errors, and the entry to add for those that passed. */
export function retriedLines(tries: Try[], date: string): string[] {
  return tries.flatMap(({ failure, second }) => {
    const name = nameOf(failure)
    const isPassed = hasPassed({ second })
    const again = second.failures[0]?.error ?? 'the test did not run to its end'
    const entry: Retried = { test: name, date, error: failure.error.split('\n')[0]! }
    return [
      `retried alone: ${name}`,
      `  first:  ${indented(failure.error)}`,
      `  second: ${isPassed ? 'passed' : indented(again)}`,
      ...(isPassed ? [`  add to test/retried.json, then find the cause: ${JSON.stringify(entry)}`] : []),
    ]
  })
}

/** Tests that stand in the list twice: trying them again has become a habit. */
export function listedTwice(listed: Retried[]): string[] {
  const names = listed.map(({ test }) => test)
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))]
}

function hasPassed({ second }: Pick<Try, 'second'>): boolean {
  return second.passed > 0 && second.failed === 0 && second.skipped === 0
}

function indented(text: string): string {
  return text.trimEnd().replaceAll('\n', '\n          ')
}
