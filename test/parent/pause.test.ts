import { describe, expect, test } from 'vitest'
import type { PoolRun } from '../../src/core/pool/pool-state.ts'
import type { QuestRun } from '../../src/core/quest/quest-state.ts'
import { holds, type Kind } from '../core/lives.ts'
import { questKind } from '../core/quest-moves.ts'
import { poolKind } from '../pool/pool-moves.ts'

type Parent = PoolRun | QuestRun

describe.each([poolKind, questKind] as unknown as Kind<Parent>[])('every $kind', kind => {
  test('that a person has paused starts and merges nothing until it is resumed [pool-stops] [quest-by-hand]', () => {
    holds(kind, 150, life => {
      for (const { before, event, effects } of life) {
        if (!before.state.isPaused || event.type === 'resume-requested') continue
        const begun = effects.filter(({ effect }) => effect.do === 'run-child' || effect.do === 'merge-task')
        expect(begun, event.type).toEqual([])
      }
    })
  })
})
