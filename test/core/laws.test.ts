import { deepStrictEqual as equal } from 'node:assert/strict'
import { describe, expect, test } from 'vitest'
import type { Stamped } from '../../src/contract/event.ts'
import { ENDED, RunDetail, RunSummary } from '../../src/contract/run.ts'
import { advance, type RunRecord } from '../../src/core/run/advance.ts'
import { runDetail, runSummary } from '../../src/core/run/run-view.ts'
import { loopKind } from '../loop/loop-moves.ts'
import { poolKind } from '../pool/pool-moves.ts'
import { holds, type Kind, type Taken } from './lives.ts'
import { questKind } from './quest-moves.ts'
import { RUN } from './run-world.ts'
import { sessionKind } from './session-moves.ts'

/** What a state alone can say of a run; the rest is read from files. */
const FromState = RunDetail.omit({
  prompt: true,
  result: true,
  notes: true,
  directory: true,
  seq: true,
  diskBytes: true,
})

// Deeds that cost money, or bring a run further.
const STARTS = new Set(['run-session', 'run-child'])
// Deeds that an ended run may still wait for: they reach others, and change nothing in it.
const REACHES_OTHERS = new Set(['tell-children', 'end-session', 'type-text', 'run-session', 'close-iteration'])

const kinds = [sessionKind, loopKind, poolKind, questKind] as unknown as Kind<never>[]
type Record = RunRecord

describe.each(kinds)('laws of every $kind', kind => {
  const lives = (length: number, law: (life: Taken<Record['state']>[], first: Stamped) => void) =>
    holds(kind as unknown as Kind<Record['state']>, length, law)

  test('an ended run stays ended, whatever happens, until it is resumed [core-ended-stays-ended]', () => {
    lives(150, life => {
      for (const { before, event, after } of life) {
        if (!ENDED.has(before.state.status) || event.type === 'resume-requested') continue
        expect(endOf(after), event.type).toEqual(endOf(before))
      }
    })
  })

  test('deciding changes neither the state nor the event that it was given [core-replay-equals-live]', () => {
    lives(60, life => {
      for (const { before, event, after } of life) {
        equal(advance(deepFreeze(structuredClone(before)), deepFreeze(structuredClone(event))).record, after)
      }
    })
  })

  test('replay equals live, from the first event and from any snapshot [core-replay-equals-live]', () => {
    lives(100, (life, first) => {
      const events = [first, ...life.map(({ event }) => event)]
      const lived = life.at(-1)?.after ?? replay(null, [first])
      equal(replay(null, events), lived)
      const half = 1 + (life.length >> 1)
      equal(replay(JSON.parse(JSON.stringify(replay(null, events.slice(0, half)))), events.slice(half)), lived)
    })
  })

  test('every state on the way survives JSON, and is what faces are shown [core-state-json]', () => {
    const iso = (ms: number) => new Date(ms).toISOString()
    lives(60, life => {
      for (const { after } of life) {
        equal(JSON.parse(JSON.stringify(after)), after)
        expect(RunSummary.safeParse(runSummary(after.state, iso)).error).toBeUndefined()
        expect(FromState.safeParse(runDetail(after.state, iso)).error).toBeUndefined()
      }
    })
  })

  test('an active run always waits for something that will come, and an ended one starts nothing [core-never-hangs]', () => {
    lives(150, life => {
      for (const { event, after } of life) {
        const { status } = after.state
        const deeds = Object.values(after.pending).map(effect => effect.do)
        const wakes = Object.values(after.pending).filter(
          effect => effect.do !== 'set-timer' || effect.name !== 'max-time',
        )
        if (status === 'active') expect(wakes.length, event.type).toBeGreaterThan(0)
        if (ENDED.has(status))
          expect(
            deeds.filter(deed => !REACHES_OTHERS.has(deed)),
            event.type,
          ).toEqual([])
      }
    })
  })

  test('each effect has a key that no other has [core-effect-keys]', () => {
    lives(80, life => {
      const keys = life.flatMap(({ effects }) => effects.map(({ key }) => key))
      expect(new Set(keys).size).toBe(keys.length)
      for (const key of keys) expect(key).toMatch(new RegExp(`^${RUN}:\\d+:\\d+$`))
    })
  })

  test('after a cancel nothing starts until somebody resumes [core-cancelled-no-turn]', () => {
    lives(100, life => {
      let isCancelled = false
      for (const { before, event, effects } of life) {
        if (event.type === 'resume-requested' && before.state.status !== 'active') isCancelled = false
        if (event.type === 'cancel-requested' && !ENDED.has(before.state.status)) isCancelled = true
        if (!isCancelled) continue
        expect(
          effects.filter(({ effect }) => STARTS.has(effect.do)),
          event.type,
        ).toEqual([])
      }
    })
  })
})

function endOf({ state }: Record) {
  return [state.status, state.cause, state.endedAt, 'proven' in state && state.proven]
}

function replay(from: Record | null, events: Stamped[]): Record | null {
  return events.reduce<Record | null>((record, event) => advance(record, event).record, from)
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze)
  return value
}
