import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'

/** One whole run of `npm test` without retries. */
export interface Row {
  date: string
  tree: string
  kind: string
  exitCode: number
  passed: number
  failed: number
  seconds: number
  /** The failed tests. */
  names: string
}

const HEAD = `| date | tree | cores | exit code | passed | failed | seconds | failed tests |\n|---|---|---|---|---|---|---|---|\n`

// Far more than a run takes here, so that only a suite that has become slow is over it.
const MOST_SECONDS = 600

export function addRow(file: string, { date, tree, kind, exitCode, passed, failed, seconds, names }: Row): void {
  if (!existsSync(file)) writeFileSync(file, HEAD)
  const cells = [date, tree, kind, exitCode, passed, failed, seconds, names.replaceAll('|', '/').replaceAll('\n', ' ')]
  appendFileSync(file, `| ${cells.join(' | ')} |\n`)
}

export function rowsOf(file: string): Row[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').slice(2).filter(Boolean)
  return lines.map(line => {
    const [, date, tree, kind, exitCode, passed, failed, seconds, names] = line.split('|').map(cell => cell.trim())
    const numbers = {
      exitCode: Number(exitCode),
      passed: Number(passed),
      failed: Number(failed),
      seconds: Number(seconds),
    }
    return { date: date!, tree: tree!, kind: kind!, ...numbers, names: names! }
  })
}

/** Returns why a run counts as failed: a failure at any load, or its time on idle cores. */
export function wrongIn({ date, kind, exitCode, failed, seconds, names }: Row): string[] {
  return [
    ...(exitCode === 0 && failed === 0 ? [] : [`${date}: ${failed} failed, exit code ${exitCode} ${names}`]),
    ...(kind === 'idle' && seconds > MOST_SECONDS ? [`${date}: ${seconds} s, more than ${MOST_SECONDS}`] : []),
  ]
}
