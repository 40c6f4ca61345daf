import type { LoopRun } from '../../core/loop/loop-state.ts'
import type { PoolRun } from '../../core/pool/pool-state.ts'
import type { QuestRun } from '../../core/quest/quest-state.ts'
import type { RunState } from '../../core/run/run-state.ts'
import type { Run } from './live-run.ts'

type Stated = Pick<Run, 'id' | 'record'>

/** The state of a run that can only be of these kinds here. Throws when it is of another. */
function stateOf<K extends RunState['kind']>({ id, record: { state } }: Stated, ...kinds: K[]) {
  if (!kinds.some(kind => kind === state.kind))
    throw new Error(`run ${id} is a ${state.kind}, not a ${kinds.join(' or a ')}`)
  return state as Extract<RunState, { kind: K }>
}

export function loopOf(run: Stated): LoopRun {
  return stateOf(run, 'loop')
}

export function poolOf(run: Stated): PoolRun {
  return stateOf(run, 'pool')
}

export function questOf(run: Stated): QuestRun {
  return stateOf(run, 'quest')
}

/** What a loop and a pool share: anchor, checks, judge, and what they began with. */
export function drivenOf(run: Stated): LoopRun | PoolRun {
  return stateOf(run, 'loop', 'pool')
}

/** What a pool and a quest share: children, merging, and the branch of their result. */
export function parentOf(run: Stated): PoolRun | QuestRun {
  return stateOf(run, 'pool', 'quest')
}
