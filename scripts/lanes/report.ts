import { readFileSync } from 'node:fs'

/** The variable that names the file in which the gate leaves its report for `npm test`. */
export const REPORT_FILE = 'TEST_REPORT_FILE'

/** The variable that names the directory in which tests note where their daemons live. */
export const HOMES_LIST = 'TEST_HOMES'

/** A test that failed, or a file or suite that failed outside of any test. */
export interface Failure {
  file: string
  lane: string
  /** The titles of the suites around it, then its own. */
  titles: string[]
  /** The failure of a file or a suite itself: it does not load, or a hook failed. */
  isOutside?: true
  error: string
}

export interface Report {
  passed: number
  failed: number
  skipped: number
  /** Kinds of disagreement between promises and tests; the gate has printed them. */
  complaints: number
  failures: Failure[]
  /** How long each file took. */
  files: { file: string; seconds: number }[]
}

export const nothingRan: Report = { passed: 0, failed: 0, skipped: 0, complaints: 0, failures: [], files: [] }

/** Returns an empty report when the runner ended without writing one. */
export function readReport(file: string): Report {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return nothingRan
  }
}

/** Scripts and people look for this line: its form is a promise. */
export function countsLine({ passed, failed, skipped }: Report): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/** Why the tests are red, or undefined when they are green. The runner's exit code alone is not believed. */
export function whyRed(report: Report, exitCode: number): string | undefined {
  if (report.failed > 0) return `${report.failed} failed`
  if (report.skipped > 0) return `${report.skipped} skipped: a test that did not run proves nothing`
  if (report.complaints > 0) return 'the promises and the tests do not agree (listed above)'
  if (report.passed === 0) return 'no test ran'
  if (exitCode !== 0) return `the test runner ended with ${exitCode}`
  return undefined
}

/** The name by which a failed test is printed, listed and compared. */
export function nameOf({ file, titles }: Pick<Failure, 'file' | 'titles'>): string {
  return [file, ...titles].join(' > ')
}

const SLOWEST = 10

export function slowestLines(files: Report['files']): string[] {
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST)
  return slowest.map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`)
}
