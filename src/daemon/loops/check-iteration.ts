import type { RunEvent } from '../../contract/event.ts'
import type { EffectOf } from '../../core/effect.ts'
import type { Run } from '../runtime/live-run.ts'
import { loopOf } from '../runtime/run-kinds.ts'
import { wardOn } from '../ward/check-commit.ts'
import type { LoopOutside } from './loop-outside.ts'
import { projectIsThere } from './restore-files.ts'
import { ownEnvironment } from './workplace.ts'

/** The frozen checks on a checkpoint in a clean worktree; in place where there is no git. */
export async function wardIteration(
  outside: LoopOutside,
  run: Run,
  key: string,
  effect: EffectOf<'run-ward'>,
  signal: AbortSignal,
): Promise<RunEvent> {
  if (!(await projectIsThere(outside, run))) return { type: 'project-not-found', effect: key }
  const { spec, base } = loopOf(run)
  const own = await ownEnvironment(outside, run)
  const on = {
    project: spec.project,
    commit: effect.commit,
    tree: effect.tree,
    base: base?.commit ?? null,
    own,
    learns: effect.iteration > 0,
  }
  const outcome = await wardOn(outside, run, key, on, signal)
  return { type: 'warded', effect: key, iteration: effect.iteration, outcome }
}
