import type { RunDetail } from '../../src/contract/run.ts'
import type { RuleSource } from '../../src/rehearsal/scenario.ts'
import { untilStatus } from '../session/runs.ts'
import type { TempHome } from '../support/temp-home.ts'
import { iterationsOf, spawnLoop } from './projects.ts'

/** Two iterations, of which only the second makes the check green. */
export function TWO(anchor: string): RuleSource[] {
  return iterationsOf(
    anchor,
    { runs: 'echo one > new.txt; cat README.md', says: 'One of two is there.' },
    { runs: 'echo two > new.txt', says: 'Both are there.\n\nDONE' },
  )
}

const WARD = ['--ward', 'grep -q two new.txt']

export async function playTwo(home: TempHome, directory: string, anchor: string, args = WARD): Promise<RunDetail> {
  return untilStatus(home, await spawnLoop(home, directory, anchor, args), 'complete', 'stalled', 'failed', 'paused')
}
