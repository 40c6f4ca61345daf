import type { KeyedEffect } from '../core/effect.ts'
import type { Loops } from './loops/loops.ts'
import type { Pools } from './pools/pools.ts'
import type { Quests } from './quests/quests.ts'
import type { Run } from './runtime/run.ts'
import type { Sessions } from './sessions/sessions.ts'

export type Performers = { sessions: Sessions; loops: Loops; pools: Pools; quests: Quests }

/** Gives an effect to the part of the daemon that performs it. */
export function perform(performers: Performers, run: Run, { key, effect }: KeyedEffect): Promise<void> {
  const { sessions, loops, pools, quests } = performers
  if (run.record.state.kind === 'quest') return quests.perform(run, { key, effect })
  switch (effect.do) {
    case 'run-session':
      return sessions.run(run, key, effect)
    case 'end-session':
      return sessions.end(run, key, effect)
    case 'type-text':
      return sessions.type(run, key, effect)
    case 'open-pool':
    case 'run-child':
    case 'pass-on':
    case 'tell-children':
    case 'read-tasks':
    case 'merge-task':
      return pools.perform(run, { key, effect })
    default:
      return loops.perform(run, { key, effect })
  }
}
