/** The variable that names the file in which the gate leaves its counts for `npm test`. */
export const REPORT_FILE = 'TEST_REPORT_FILE'

/** The variable that names the directory in which tests note where their daemons live. */
export const HOMES_LIST = 'TEST_HOMES'

export interface Report {
  passed: number
  failed: number
  skipped: number
  /** Kinds of disagreement between promises and tests; the gate has printed them. */
  complaints: number
}

export const nothingRan: Report = { passed: 0, failed: 0, skipped: 0, complaints: 0 }

/** Scripts and people look for this line: its form is a promise. */
export function countsLine({ passed, failed, skipped }: Report): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/** Why the tests are red, or undefined when they are green. The runner's exit code alone is not believed. */
export function whyRed(report: Report, exitCode: number): string | undefined {
  if (report.failed > 0) return `${report.failed} failed`
  if (report.skipped > 0) return `${report.skipped} skipped: a test that did not run is no proof`
  if (report.complaints > 0) return 'the promises and the tests do not agree (listed above)'
  if (report.passed === 0) return 'no test ran'
  if (exitCode !== 0) return `the test runner ended with ${exitCode}`
  return undefined
}
