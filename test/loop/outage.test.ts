import { expect, test } from 'vitest'
import type { RunEvent } from '../../src/contract/event.ts'
import { type AgentFacts, newAgent } from '../../src/core/agent/facts.ts'
import { reportOfPane } from '../../src/core/agent/pane-turn.ts'
import type { EffectOf } from '../../src/core/effect.ts'
import { waitsUntil } from '../../src/core/loop/doing.ts'
import { limitedUntil } from '../../src/core/run/limited-until.ts'
import { runDetail } from '../../src/core/run/run-view.ts'
import { eventTeller, runsTable } from '../../src/view/run-words.ts'
import { environment, text } from '../core/run-world.ts'
import { goOn, type LoopRecord, type Played, playLoop, post } from './loop-world.ts'

const AWAY: Played = { ends: 'outage', lasts: true }
const MINUTE = 60_000
const iso = (ms: number) => new Date(ms).toISOString()

/** Steps on until the loop has come to wait, once more. */
function untilWaiting(from: LoopRecord, played: Played): LoopRecord {
  let record = goOn(from, [played], { steps: 1 })
  while (record.state.doing.is !== 'waiting' && record.state.status === 'active') {
    record = goOn(record, [played], { steps: 1 })
  }
  return record
}

/** How long each wait is, until it waits no more; and the record of that moment. */
function waits(from: LoopRecord, played: Played, most = 100): [number[], LoopRecord] {
  const seen: number[] = []
  let record = from
  while (seen.length < most) {
    record = untilWaiting(record, played)
    if (record.state.status !== 'active') break
    seen.push(waitsUntil(record.state)! - record.at)
  }
  return [seen, record]
}

const begun = () => playLoop({}, [AWAY], { steps: 3 })

function prepared({ pending }: LoopRecord): EffectOf<'prepare-iteration'> | undefined {
  return Object.values(pending).find(effect => effect.do === 'prepare-iteration')
}

test('an outage is waited for with growing pauses, and after about an hour somebody is asked [loop-outage]', () => {
  const from = begun()
  const [pauses, asked] = waits(from, AWAY)
  expect(pauses.map(ms => ms / MINUTE)).toEqual([1 / 6, 1 / 2, 1, 2, 5, 10, 15, 15, 15])
  expect(asked.state).toMatchObject({ status: 'blocked', cause: 'outage', iteration: 1, errors: [] })
  expect((asked.at - from.at) / MINUTE).toBeLessThan(70)
  const answered = post(asked, { type: 'answered', text: text(8) })
  expect(prepared(answered.record)).toMatchObject({ iteration: 1, messages: [text(8)] })
  expect(waits(answered.record, AWAY, 2)[0]).toEqual([10_000, 30_000])
})

test('after an outage the same iteration begins with a fresh session, told to look first, and none is lost or counted twice [loop-outage]', () => {
  const waiting = untilWaiting(begun(), { ...AWAY, costUsd: 0.25 })
  const again = goOn(waiting, [AWAY], { steps: 1 })
  expect(prepared(again)).toMatchObject({ iteration: 1, note: expect.stringContaining('lost the model') })
  const { state } = goOn(again, [{ costUsd: 0.5, facts: { claim: 'stop-word' } }])
  expect(state).toMatchObject({ status: 'complete', iteration: 1, costUsd: 0.75, outage: null })
  expect(state.iterations).toHaveLength(1)
  expect(state.iterations[0]!.costUsd).toBe(0.75)
})

test('who was answered in between has another outage, with short pauses and an hour anew [loop-outage]', () => {
  const [, late] = waits(begun(), AWAY, 6)
  expect(waits(late, { ...AWAY, answered: true }, 1)[0]).toEqual([10_000])
  const closed = goOn(late, [{}, AWAY], { steps: 8 })
  expect([closed.state.iteration, closed.state.outage]).toEqual([2, null])
})

test('a model that answers and is lost in one session after the other counts as an iteration in the end, so that breakers hold [loop-outage]', () => {
  const lost: Played = { ...AWAY, answered: true, costUsd: 0.25 }
  const first = begun()
  const [pauses, late] = waits(first, lost, 4)
  expect([pauses, late.state.iteration, late.state.iterations[0]!.facts]).toEqual([Array(4).fill(10_000), 1, null])
  const { state } = playLoop({ maxIterations: 2 }, [lost])
  expect(state).toMatchObject({ status: 'stalled', cause: 'max-iterations', iteration: 2, costUsd: 2.5 })
  expect(state.iterations.map(({ outcome }) => outcome)).toEqual(['error', 'error'])
})

test('what people said for an iteration is heard by the session that comes after an outage too, and once it is over by none [loop-outage]', () => {
  const heard = (record: LoopRecord): LoopRecord => {
    const [effect] = Object.entries(record.pending).find(([, { do: deed }]) => deed === 'run-session')!
    const report = { kind: 'init' as const, offset: 1, model: null }
    return post(record, { type: 'session-reported', effect, turn: record.state.session!.turn.n, report }).record
  }
  const told = post(untilWaiting(begun(), AWAY), { type: 'told', text: text(8) }).record
  const running = heard(goOn(told, [AWAY], { steps: 3 }))
  expect(running.state).toMatchObject({ doing: { is: 'running' }, waiting: [] })
  const again = goOn(untilWaiting(running, AWAY), [AWAY], { steps: 1 })
  expect(prepared(again)?.messages).toEqual([text(8)])
  let record = again
  while (record.state.iteration === 1) record = goOn(record, [{}], { steps: 1 })
  expect(prepared(record)?.messages).toEqual([])
})

test('a loop that waits for its model can be paused, resumed, cancelled and rejected; its account is at no limit [loop-outage]', () => {
  const waiting = untilWaiting(begun(), AWAY)
  expect(limitedUntil(waiting.state)).toBe(null)
  const after = (event: RunEvent) => post(waiting, event).record
  const ended = (event: RunEvent) => goOn(after(event), [AWAY])
  expect(ended({ type: 'cancel-requested' }).state).toMatchObject({ status: 'cancelled', cause: 'cancelled' })
  expect(ended({ type: 'reject-requested' }).state).toMatchObject({ status: 'cancelled', cause: 'rejected' })
  const paused = after({ type: 'pause-requested' })
  expect([paused.state.cause, waitsUntil(paused.state), paused.pending]).toEqual(['paused-by-user', null, {}])
  const resumed = post(paused, { type: 'resume-requested', text: null, environment }).record
  expect(prepared(resumed)).toMatchObject({ iteration: 1 })
  expect(waits(resumed, AWAY, 1)[0]).toEqual([10_000])
})

test('an outage that comes when the money is spent ends the loop [loop-outage]', () => {
  const { state } = playLoop({ maxCostUsd: 1 }, [{ ...AWAY, costUsd: 1 }])
  expect(state).toMatchObject({ status: 'over-budget', cause: 'max-cost', costUsd: 1 })
})

test('show, runs and logs say that the model is not there, and when it is tried again [loop-outage]', () => {
  const waiting = untilWaiting(begun(), AWAY)
  const run = runDetail(waiting.state, iso)
  const until = iso(waiting.at + 10_000)
  expect(run.sentence).toBe(`the model could not be reached, or answered that it is down; tries again at ${until}`)
  expect(runsTable([{ ...run }], waiting.at)[1]).toContain('active 1/50, goes on in 10 s')
  const tell = eventTeller()
  const stamp = { seq: 1, at: 0, effect: 'k3v9x0ab:1:0', turn: 1 }
  const result = { kind: 'result' as const, offset: 1, isError: true, costUsd: 0, turns: 1 }
  tell({ ...stamp, type: 'iteration-prepared', iteration: 1, session: run.session, prompt: text(1), notes: [] })
  const words = (why: 'outage' | 'api-error') =>
    tell({ ...stamp, type: 'session-reported', report: { ...result, why } })
  expect(words('outage')).toMatch(/could not be reached.*; the loop waits and tries again/)
  expect(words('api-error')).toBe(null)
})

test('in a pane an outage is what the client’s hook calls one, with what the session has cost so far [loop-outage]', () => {
  const failed = (why: string): AgentFacts => ({
    ...newAgent('s', 0),
    heard: true,
    end: { how: 'failed', why, at: 2_000 },
    usage: { ...newAgent('s', 0).usage, output: 7, saidUsd: 0.5, sinceUsd: 0.25 },
  })
  const seen = (why: string) =>
    reportOfPane({
      facts: failed(why),
      lookedAt: 9_000,
      since: 0,
      ownSince: 0,
      maxCostUsd: null,
      endsWithTurn: true,
    })
  expect(seen('server_error')).toMatchObject({ why: 'outage', costUsd: 0, totalUsd: 0.75, answered: true })
  expect(seen('rate_limit')).toMatchObject({ why: 'limit', costUsd: 0 })
  expect(seen('model_not_found')).toMatchObject({ why: 'api-error' })
  expect(seen('max_output_tokens')).not.toHaveProperty('totalUsd')
})
