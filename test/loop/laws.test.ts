import { expect, test } from 'vitest'
import { ENDED } from '../../src/contract/run.ts'
import { wishOf } from '../../src/core/loop/doing.ts'
import { runSummary } from '../../src/core/run/run-view.ts'
import { holds } from '../core/lives.ts'
import fc from '../support/laws.ts'
import { loopKind, loopSpecs } from './loop-moves.ts'
import { type Played, playLoop } from './loop-world.ts'

const WORK = new Set(['run-session', 'open-loop', 'prepare-iteration', 'close-iteration', 'run-ward', 'ask-judge'])
test('a loop has never two sessions at once, and none beside a checkpoint of its own [loop-one-session]', () => {
  holds(loopKind, 150, life => {
    for (const { after } of life) {
      const deeds = Object.values(after.pending).map(effect => effect.do)
      const busy = deeds.filter(deed => deed === 'run-session' || deed === 'close-iteration')
      expect(busy.length, deeds.join(', ')).toBeLessThanOrEqual(1)
    }
  })
})

test('iterations are counted upwards, and each is closed once [loop-numbers]', () => {
  holds(loopKind, 150, life => {
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
  holds(loopKind, 150, life => {
    let spent = 0
    for (const { event, after } of life) {
      if (event.type === 'session-reported' && event.report.kind === 'result') spent += event.report.costUsd
      if (event.type === 'iteration-closed') spent += event.facts.costUsd
      if (event.type === 'judged') spent += event.judgement.costUsd
      expect(runSummary(after.state, String).costUsd).toBeCloseTo(spent, 5)
    }
  })
})

test('a cancelled loop neither rests nor waits for a person, until somebody resumes it [loop-cancel]', () => {
  holds(loopKind, 150, life => {
    let isCancelled = false
    for (const { before, event, after } of life) {
      if (event.type === 'resume-requested' && before.state.status !== 'active') isCancelled = false
      if (event.type === 'cancel-requested' && !ENDED.has(before.state.status)) isCancelled = true
      if (isCancelled) expect(['blocked', 'paused'], event.type).not.toContain(after.state.status)
    }
  })
})

test('a rejected loop starts no further session, whatever becomes of the one that runs [loop-reject]', () => {
  holds(loopKind, 150, life => {
    let rejected = false
    for (const { before, event, effects } of life) {
      if (event.type === 'resume-requested' && before.state.status !== 'active') rejected = false
      if (event.type === 'reject-requested' && !ENDED.has(before.state.status)) rejected = true
      if (rejected) expect(effects.filter(({ effect }) => effect.do === 'run-session')).toEqual([])
    }
  })
})

test('a loop whose time is up starts no further session, until somebody resumes it [loop-max-time]', () => {
  holds(loopKind, 150, life => {
    let isUp = false
    for (const { before, event, effects } of life) {
      if (event.type === 'resume-requested' && before.state.status !== 'active') isUp = false
      if (event.type === 'timer-fired' && event.timer === 'max-time') isUp = true
      if (isUp) expect(effects.filter(({ effect }) => effect.do === 'run-session')).toEqual([])
    }
  })
})

test('a loop that ends has closed the iteration that was begun, unless its project is gone [loop-end-kept]', () => {
  holds(loopKind, 150, life => {
    for (const { before, event, after } of life) {
      if (ENDED.has(before.state.status) || !ENDED.has(after.state.status)) continue
      const { iteration, iterations, status, cause } = after.state
      const isOpen = iterations.some(({ n, facts }) => n === iteration && facts === null)
      if (isOpen) expect(['project-not-found', 'tree-not-kept'], `${status}, ${cause}`).toContain(event.type)
    }
  })
})

test('a loop works only while it is active, and with its time limit running [loop-works-active]', () => {
  holds(loopKind, 150, life => {
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
  holds(loopKind, 150, life => {
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
  const lives = fc.property(loopSpecs, fc.array(played, { minLength: 1, maxLength: 8 }), (spec, iterations) => {
    const { state } = playLoop({ ...spec, maxCostUsd: null, maxTimeMs: null }, iterations)
    expect([state.status, state.iteration <= spec.maxIterations!]).toEqual(['stalled', true])
  })
  fc.assert(lives, { numRuns: 200 })
})
