import type { KeyedEffect } from '../core/effect.ts'
import type { Loops } from './loops/loops.ts'
import type { Parents } from './parent/parents.ts'
import type { Run } from './runtime/live-run.ts'
import type { Sessions } from './sessions/sessions.ts'

export type Performers = { sessions: Sessions; loops: Loops; pools: Parents; quests: Parents }

/** Gives an effect to the part of the daemon that performs it. */
export function perform(performers: Performers, run: Run, { key, effect }: KeyedEffect): Promise<void> {
  const { sessions, loops, pools, quests } = performers
  switch (effect.do) {
    case 'run-session':
      return sessions.run(run, key, effect)
    case 'end-session':
      return sessions.end(run, key, effect)
    case 'type-text':
      return sessions.type(run, key, effect)
    case 'ask-judge':
      return loops.perform(run, { key, effect })
    default: {
      const { kind } = run.record.state
      return (kind === 'pool' ? pools : kind === 'quest' ? quests : loops).perform(run, { key, effect })
    }
  }
}
