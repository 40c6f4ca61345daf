import { expect, test } from 'vitest'
import { isStale } from '../../src/core/run/advance.ts'
import { summaryOf } from '../../src/core/session/session-view.ts'
import fc from '../support/laws.ts'
import { holds } from './lives.ts'
import { isPossible, moves, sessionKind } from './session-moves.ts'
import { created, delivered, pending, post, type SessionRecord, typed } from './session-world.ts'

// Fifty earlier turns of some 150 characters, and a hundred messages of 70 that are given to a turn: once in the state,
// twice in the effect that starts it, and as many again that wait behind it. Twenty that no turn has answered: once in the
// state, once in the effect.
const LARGEST_STATE = 40_000

test('at most one session is asked for at a time, and none while one is pending [core-one-session]', () => {
  holds(sessionKind, 80, life => {
    for (const { before, event, after, effects } of life) {
      expect(pending(after, 'run-session').length).toBeLessThanOrEqual(1)
      const settled = 'effect' in event ? event.effect : ''
      const stillThere = pending(before, 'run-session').filter(key => key !== settled)
      if (effects.some(({ effect }) => effect.do === 'run-session')) expect(stillThere).toEqual([])
    }
  })
})

test('no cost is negative, lost or counted twice [core-cost-sum]', () => {
  holds(sessionKind, 80, life => {
    let spent = 0
    for (const { event, after } of life) {
      if (event.type === 'session-reported' && event.report.kind === 'result') spent += event.report.costUsd
      const { costUsd } = summaryOf(after.state, String)
      expect(costUsd).toBeCloseTo(spent, 5)
    }
  })
})

test('an outcome that comes a second time, or that nobody asked for, is stale [core-stale-outcome]', () => {
  holds(sessionKind, 60, life => {
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
    fc.property(fc.constantFrom('headless' as const, 'pane' as const), chances, (driver, picks) => {
      expect(grown(driver, picks)).toBeLessThan(LARGEST_STATE)
    }),
    { numRuns: 10, endOnFailure: true },
  )
})

function step(record: SessionRecord, pick: number): SessionRecord {
  const move = moves[pick]!
  return isPossible(record, move) ? post(record, move.event(record)).record : record
}
