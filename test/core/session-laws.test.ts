import { deepStrictEqual as equal } from 'node:assert/strict'
import { expect, test } from 'vitest'
import type { Stamped } from '../../src/contract/event.ts'
import { ENDED, RunDetail, RunSummary } from '../../src/contract/run.ts'
import type { KeyedEffect } from '../../src/core/effect.ts'
import { advance, isStale } from '../../src/core/run/advance.ts'
import { detailOf, summaryOf } from '../../src/core/session/view.ts'
import fc from '../support/laws.ts'
import { RUN, stamp } from './run-world.ts'
import { isPossible, moves } from './session-moves.ts'
import { created, delivered, pending, post, type SessionRecord, typed } from './session-world.ts'

// Fifty earlier turns of some 150 characters, and a hundred messages of 70 that are given to a turn: once in the state,
// twice in the effect that starts it, and as many again that wait behind it. Twenty that no turn has answered: once in the
// state, once in the effect.
const LARGEST_STATE = 40_000

type Taken = { before: SessionRecord; event: Stamped; after: SessionRecord; effects: KeyedEffect[] }

/** What a state alone can say of a run; the rest is read from files. */
const FromState = RunDetail.omit({
  prompt: true,
  result: true,
  notes: true,
  directory: true,
  seq: true,
  diskBytes: true,
})

/** A life of a run: any moves in any order, each as the state that it meets makes it. */
const drivers = fc.constantFrom('headless' as const, 'pane' as const)
const lives = (maxLength: number) =>
  fc
    .tuple(drivers, fc.array(fc.nat(moves.length - 1), { maxLength, size: 'max' }))
    .map(([driver, picks]) => live(driver, picks))

test('an ended run stays ended, whatever happens, until it is resumed [core-ended-stays-ended]', () => {
  holds(lives(80), life => {
    for (const { before, event, after } of life) {
      if (ENDED.has(before.state.status) && event.type !== 'resume-requested') {
        expect([after.state.status, after.state.cause, after.state.endedAt]).toEqual([
          before.state.status,
          before.state.cause,
          before.state.endedAt,
        ])
      }
    }
  })
})

test('replay equals live, from the first event and from any snapshot [core-replay-equals-live]', () => {
  holds(
    fc.tuple(drivers, fc.array(fc.nat(moves.length - 1), { maxLength: 60 }), fc.nat(60)),
    ([driver, picks, cut]) => {
      const life = live(driver, picks)
      const events = [stamp(null, created({ driver })), ...life.map(({ event }) => event)]
      const lived = life.at(-1)?.after ?? post(null, created({ driver })).record
      equal(replay(null, events), lived)
      const half = events.slice(0, 1 + (cut % events.length))
      const snapshot = JSON.parse(JSON.stringify(replay(null, half)))
      equal(replay(snapshot, events.slice(half.length)), lived)
    },
  )
})

test('deciding changes neither the state nor the event that it was given [core-replay-equals-live]', () => {
  holds(lives(40), life => {
    for (const { before, event, after } of life) {
      const frozen = advance(deepFreeze(structuredClone(before)), deepFreeze(structuredClone(event)))
      equal(frozen.record, after)
    }
  })
})

test('every state on the way survives JSON, and is what faces are shown [core-state-json]', () => {
  holds(lives(60), life => {
    const iso = (ms: number) => new Date(ms).toISOString()
    for (const { after } of life) {
      equal(JSON.parse(JSON.stringify(after)), after)
      expect(RunSummary.safeParse(summaryOf(after.state, iso)).error).toBeUndefined()
      expect(FromState.safeParse(detailOf(after.state, iso)).error).toBeUndefined()
    }
  })
})

test('at most one session is asked for at a time, and none while one is pending [core-one-session]', () => {
  holds(lives(80), life => {
    for (const { before, event, after, effects } of life) {
      expect(pending(after, 'run-session').length).toBeLessThanOrEqual(1)
      const settled = 'effect' in event ? event.effect : ''
      const stillThere = pending(before, 'run-session').filter(key => key !== settled)
      if (effects.some(({ effect }) => effect.do === 'run-session')) expect(stillThere).toEqual([])
    }
  })
})

test('each effect has a key that no other has [core-effect-keys]', () => {
  holds(lives(80), life => {
    const keys = life.flatMap(({ effects }) => effects.map(({ key }) => key))
    expect(new Set(keys).size).toBe(keys.length)
    for (const key of keys) expect(key).toMatch(new RegExp(`^${RUN}:\\d+:\\d$`))
  })
})

test('after a cancel no turn starts until somebody resumes [core-cancelled-no-turn]', () => {
  holds(lives(80), life => {
    let cancelled = false
    for (const { before, event, effects } of life) {
      if (event.type === 'resume-requested' && before.state.status !== 'active') cancelled = false
      if (event.type === 'cancel-requested' && !ENDED.has(before.state.status)) cancelled = true
      if (cancelled) expect(effects.filter(({ effect }) => effect.do === 'run-session')).toEqual([])
    }
  })
})

test('no cost is negative, lost or counted twice [core-cost-sum]', () => {
  holds(lives(80), life => {
    let spent = 0
    for (const { event, after } of life) {
      if (event.type === 'session-reported' && event.report.kind === 'result') spent += event.report.costUsd
      const { costUsd } = summaryOf(after.state, String)
      expect(costUsd).toBeCloseTo(spent, 5)
    }
  })
})

test('an outcome that comes a second time, or that nobody asked for, is stale [core-stale-outcome]', () => {
  holds(lives(60), life => {
    const settling = ['session-ended', 'session-not-started', 'session-end-delivered', 'text-typed', 'timer-fired']
    for (const { event, after } of life) {
      if (settling.includes(event.type)) expect(isStale(after, event)).toBe(true)
      expect(isStale(after, { type: 'timer-fired', timer: 'background', effect: 'zzzzzzzz:1:0' })).toBe(true)
    }
  })
})

test('state does not grow with the age of a run [core-state-bounded]', () => {
  const chances = fc.infiniteStream(fc.nat(moves.length - 1))
  const grown = (driver: 'headless' | 'pane', picks: Iterator<number>) => {
    let { record } = post(null, created({ driver }))
    let largest = 0
    for (let n = 0; n < 5000; n++) {
      record = step(record, picks.next().value as number)
      // Ends are delivered and texts are typed, as they are in life; every other order is as chance wants it.
      while (pending(record, 'end-session').length > 1) record = post(record, delivered(record)).record
      while (pending(record, 'type-text').length > 1) record = post(record, typed(record)).record
      if (n % 10 === 0) largest = Math.max(largest, JSON.stringify(record).length)
    }
    return largest
  }
  fc.assert(
    fc.property(drivers, chances, (driver, picks) => {
      expect(grown(driver, picks)).toBeLessThan(LARGEST_STATE)
    }),
    { numRuns: 10, endOnFailure: true },
  )
})

function holds<T>(arbitrary: fc.Arbitrary<T>, law: (value: T) => void): void {
  fc.assert(fc.property(arbitrary, law), { numRuns: 200 })
}

function live(driver: 'headless' | 'pane', picks: number[]): Taken[] {
  let { record } = post(null, created({ driver }))
  return picks.flatMap(pick => {
    const move = moves[pick]!
    const event = move.event(record)
    if (!isPossible(record, move) || isStale(record, event)) return []
    const before = record
    const stamped = stamp(before, event)
    const { record: after, effects } = advance(before, stamped)
    record = after
    return [{ before, event: stamped, after, effects }]
  })
}

function step(record: SessionRecord, pick: number): SessionRecord {
  const move = moves[pick]!
  return isPossible(record, move) ? post(record, move.event(record)).record : record
}

function replay(from: SessionRecord | null, events: Stamped[]): SessionRecord | null {
  return events.reduce<SessionRecord | null>((record, event) => advance(record, event).record, from)
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze)
  return value
}
