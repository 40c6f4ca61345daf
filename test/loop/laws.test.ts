import { deepStrictEqual as equal } from 'node:assert/strict'
import { expect, test } from 'vitest'
import type { RunEvent, Stamped } from '../../src/contract/event.ts'
import { ENDED, RunDetail, RunSummary } from '../../src/contract/run.ts'
import type { KeyedEffect } from '../../src/core/effect.ts'
import { wishOf } from '../../src/core/loop/doing.ts'
import { advance, isStale } from '../../src/core/run/advance.ts'
import { runDetail, runSummary } from '../../src/core/run/run-view.ts'
import fc from '../support/laws.ts'
import { loopMoves } from './loop-moves.ts'
import { created, type LoopChange, type LoopRecord, type Played, playLoop, post, WARD } from './loop-world.ts'

type Taken = { before: LoopRecord; event: Stamped; after: LoopRecord; effects: KeyedEffect[] }

/** What a state alone can say of a run; the rest is read from files. */
const FromState = RunDetail.omit({
  prompt: true,
  result: true,
  notes: true,
  directory: true,
  seq: true,
  diskBytes: true,
})
const WORK = new Set(['run-session', 'open-loop', 'prepare-iteration', 'close-iteration', 'run-ward', 'ask-judge'])
const iso = (ms: number) => new Date(ms).toISOString()

const specs = fc.record<LoopChange>({
  ward: fc.constantFrom(null, WARD),
  judge: fc.constantFrom('heuristic', 'model', 'off'),
  maxIterations: fc.integer({ min: 1, max: 6 }),
  maxCostUsd: fc.constantFrom(null, 2),
  maxTimeMs: fc.constantFrom(null, 100_000),
  noQuestions: fc.boolean(),
})
const drivers = fc.constantFrom('headless' as const, 'pane' as const)
const picks = (maxLength: number) => fc.array(fc.nat(), { maxLength, size: 'max' })

/** A life of a loop: of everything that can happen now, chance takes one. */
const lives = (maxLength: number) =>
  fc.tuple(specs, drivers, picks(maxLength)).map(([spec, driver, chances]) => live(spec, driver, chances))

test('an ended loop stays ended, whatever happens, until it is resumed [loop-ended-stays]', () => {
  holds(lives(150), life => {
    for (const { before, event, after } of life) {
      if (!ENDED.has(before.state.status) || event.type === 'resume-requested') continue
      const end = ({ state }: LoopRecord) => [state.status, state.cause, state.endedAt, state.proven]
      expect(end(after)).toEqual(end(before))
    }
  })
})

test('replay of a loop equals its life, from the first event and from any snapshot [loop-replay]', () => {
  holds(fc.tuple(specs, drivers, picks(100), fc.nat(100)), ([spec, driver, chances, cut]) => {
    const life = live(spec, driver, chances)
    const events = [stamp(null, created(spec, driver)), ...life.map(({ event }) => event)]
    const lived = life.at(-1)?.after ?? post(null, created(spec, driver)).record
    equal(replay(null, events), lived)
    const half = events.slice(0, 1 + (cut % events.length))
    const snapshot = JSON.parse(JSON.stringify(replay(null, half)))
    equal(replay(snapshot, events.slice(half.length)), lived)
  })
})

test('deciding about a loop changes neither the state nor the event that it was given [loop-replay]', () => {
  holds(lives(80), life => {
    for (const { before, event, after } of life) {
      equal(advance(deepFreeze(structuredClone(before)), deepFreeze(structuredClone(event))).record, after)
    }
  })
})

test('every state of a loop survives JSON, and is what faces are shown [loop-state-json]', () => {
  holds(lives(80), life => {
    for (const { after } of life) {
      equal(JSON.parse(JSON.stringify(after)), after)
      expect(RunSummary.safeParse(runSummary(after.state, iso)).error).toBeUndefined()
      expect(FromState.safeParse(runDetail(after.state, iso)).error).toBeUndefined()
    }
  })
})

test('a loop has never two sessions at once, and none beside a checkpoint of its own [loop-one-session]', () => {
  holds(lives(150), life => {
    for (const { after } of life) {
      const deeds = Object.values(after.pending).map(effect => effect.do)
      const busy = deeds.filter(deed => deed === 'run-session' || deed === 'close-iteration')
      expect(busy.length, deeds.join(', ')).toBeLessThanOrEqual(1)
    }
  })
})

test('iterations are counted upwards, and each is closed once [loop-numbers]', () => {
  holds(lives(150), life => {
    const closed: number[] = []
    for (const { before, event, after } of life) {
      expect(after.state.iteration).toBeGreaterThanOrEqual(before.state.iteration)
      expect(after.state.iteration - before.state.iteration).toBeLessThanOrEqual(1)
      if (event.type === 'iteration-closed') closed.push(event.iteration)
    }
    expect(closed).toEqual(closed.map((_, n) => n + 1))
  })
})

test('what a loop has cost is the sum of what its sessions and judges said, and never less [loop-cost]', () => {
  holds(lives(150), life => {
    let spent = 0
    for (const { event, after } of life) {
      if (event.type === 'session-reported' && event.report.kind === 'result') spent += event.report.costUsd
      if (event.type === 'iteration-closed') spent += event.facts.costUsd
      if (event.type === 'judged') spent += event.judgement.costUsd
      expect(runSummary(after.state, String).costUsd).toBeCloseTo(spent, 5)
    }
  })
})

test('after a cancel no session starts and nothing waits, until somebody resumes [loop-cancel]', () => {
  holds(lives(150), life => {
    let cancelled = false
    for (const { before, event, after, effects } of life) {
      if (event.type === 'resume-requested' && before.state.status !== 'active') cancelled = false
      if (event.type === 'cancel-requested' && !ENDED.has(before.state.status)) cancelled = true
      if (!cancelled) continue
      expect(effects.filter(({ effect }) => effect.do === 'run-session')).toEqual([])
      expect(['blocked', 'paused'], event.type).not.toContain(after.state.status)
    }
  })
})

test('a rejected loop starts no further session, whatever becomes of the one that runs [loop-reject]', () => {
  holds(lives(150), life => {
    let rejected = false
    for (const { before, event, effects } of life) {
      if (event.type === 'resume-requested' && before.state.status !== 'active') rejected = false
      if (event.type === 'reject-requested' && !ENDED.has(before.state.status)) rejected = true
      if (rejected) expect(effects.filter(({ effect }) => effect.do === 'run-session')).toEqual([])
    }
  })
})

test('a loop whose time is up starts no further session, until somebody resumes it [loop-max-time]', () => {
  holds(lives(150), life => {
    let isUp = false
    for (const { before, event, effects } of life) {
      if (event.type === 'resume-requested' && before.state.status !== 'active') isUp = false
      if (event.type === 'timer-fired' && event.timer === 'max-time') isUp = true
      if (isUp) expect(effects.filter(({ effect }) => effect.do === 'run-session')).toEqual([])
    }
  })
})

test('a loop that ends has closed the iteration that was begun, unless its project is gone [loop-end-kept]', () => {
  holds(lives(150), life => {
    for (const { before, event, after } of life) {
      if (ENDED.has(before.state.status) || !ENDED.has(after.state.status)) continue
      const { iteration, iterations, status, cause } = after.state
      const isOpen = iterations.some(({ n, facts }) => n === iteration && facts === null)
      if (isOpen) expect(['project-not-found', 'tree-not-kept'], `${status}, ${cause}`).toContain(event.type)
    }
  })
})

test('an active loop has always something to wait for [loop-never-hangs]', () => {
  holds(lives(150), life => {
    for (const { event, after } of life) {
      const { status, doing } = after.state
      if (status === 'active') expect(Object.keys(after.pending), `${event.type}, ${doing.is}`).not.toEqual([])
    }
  })
})

test('a loop works only while it is active, and with its time limit running [loop-never-hangs]', () => {
  holds(lives(150), life => {
    for (const { event, after } of life) {
      const { status, cause, spec, doing, session, timeLimit } = after.state
      const deeds = Object.values(after.pending).map(effect => (effect.do === 'set-timer' ? effect.name : effect.do))
      const works = deeds.filter(deed => WORK.has(deed))
      if (status !== 'active' && cause !== 'taken-over') expect(works, event.type).toEqual([])
      if (status !== 'active') expect(deeds, event.type).not.toContain('max-time')
      const isEnding = doing.is === 'keeping' || wishOf(doing) !== null || (session?.turn.ending ?? null) !== null
      const isStopped = timeLimit !== null && 'leftMs' in timeLimit
      if (status !== 'active' || spec.maxTimeMs === null || isEnding) continue
      // Only while somebody is asked it stands still.
      expect(deeds.includes('max-time'), event.type).toBe(!isStopped)
      if (isStopped) expect(timeLimit.leftMs).toBeLessThanOrEqual(spec.maxTimeMs)
    }
  })
})

test('a ward or a judge speaks of the iteration that it was asked about [loop-numbers]', () => {
  holds(lives(150), life => {
    for (const { before, event } of life) {
      if (event.type === 'judged') expect(event.iteration).toBe(before.state.iteration)
      if (event.type === 'warded') expect(event.iteration).toBe(before.state.iteration)
    }
  })
})

test('an agent that goes on for ever is ended by the loop itself [loop-ends-itself]', () => {
  const played = fc.record<Played>({
    ends: fc.constantFrom('ok', 'limit', 'overloaded', 'outage', 'api-error'),
    answered: fc.boolean(),
    facts: fc.constantFrom({}, { ledger: 'aaaaaaaaaaaaaaaa' }, { end: 'eeeeeeee' }, { verdict: 'continue' as const }),
    judge: fc.constantFrom({ verdict: 'continue' as const }, { failed: true }),
  })
  holds(fc.tuple(specs, fc.array(played, { minLength: 1, maxLength: 8 })), ([spec, iterations]) => {
    const { state } = playLoop({ ...spec, maxCostUsd: null, maxTimeMs: null }, iterations)
    expect([state.status, state.iteration <= spec.maxIterations!]).toEqual(['stalled', true])
  })
})

function holds<T>(arbitrary: fc.Arbitrary<T>, law: (value: T) => void): void {
  fc.assert(fc.property(arbitrary, law), { numRuns: 200 })
}

function live(spec: LoopChange, driver: 'headless' | 'pane', chances: number[]): Taken[] {
  let { record } = post(null, created(spec, driver))
  return chances.flatMap(chance => {
    const possible = loopMoves.flatMap(move => possibleNow(record, move.event(record)))
    const before = record
    const event = stamp(before, possible[chance % possible.length]!)
    const { record: after, effects } = advance<LoopRecord['state']>(before, event)
    record = after
    return [{ before, event, after, effects }]
  })
}

function possibleNow(record: LoopRecord, event: RunEvent | null): RunEvent[] {
  return event && !isStale(record, event) ? [event] : []
}

function stamp(record: LoopRecord | null, event: RunEvent): Stamped {
  return { ...event, seq: (record?.seq ?? 0) + 1, at: (record?.at ?? 0) + 1000 } as Stamped
}

function replay(from: LoopRecord | null, events: Stamped[]): LoopRecord | null {
  return events.reduce<LoopRecord | null>((record, event) => advance<LoopRecord['state']>(record, event).record, from)
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze)
  return value
}
