import { LoopDirectory } from '../../adapters/loop-directory.ts'
import type { LoopRun } from '../../core/loop/loop-state.ts'
import type { JudgeOutside } from '../judge/ask-judge.ts'
import type { Posting, Run } from '../runtime/live-run.ts'
import type { WardOutside } from '../ward/check-commit.ts'
import type { WardTurns } from '../ward/ward-turns.ts'
import type { Workplaces } from '../worktrees/workplaces.ts'
import type { StateFiles } from './state-file.ts'

/** What the effects of loops use of the daemon. */
export type LoopOutside = JudgeOutside &
  WardOutside & {
    stateFiles: StateFiles
    workplaces: Workplaces
    wardTurns: WardTurns
    /** Posts until it is written: an outcome must not be lost to a full disk. */
    postSurely(run: Run, posting: Posting): Promise<void>
  }

export function loopDirectory({ disk }: Pick<LoopOutside, 'disk'>, state: Pick<LoopRun, 'loop'>): LoopDirectory {
  return new LoopDirectory(state.loop.directory, disk)
}
