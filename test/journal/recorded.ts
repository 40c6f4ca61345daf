import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunSummary } from '../../src/contract/run.ts'

/** A real run: the lines of its journal, and what the daemon said about it at its end. */
export type RecordedRun = { summary: RunSummary; journal: string[] }

export const RECORDED = join(import.meta.dirname, '../fixtures/journals')

export function recordedRuns(): { name: string; recorded: RecordedRun }[] {
  return readdirSync(RECORDED).map(name => ({ name, recorded: JSON.parse(readFileSync(join(RECORDED, name), 'utf8')) }))
}
