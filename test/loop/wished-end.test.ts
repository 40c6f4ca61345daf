import { expect, test } from 'vitest'
import type { RunEvent, SessionReport, TimerName } from '../../src/contract/event.ts'
import { runDetail } from '../../src/core/run/run-view.ts'
import { text } from '../core/run-world.ts'
import { created, goOn, type LoopRecord, type Played, playLoop, post, WARD } from './loop-world.ts'

const CLAIM: Played = { facts: { claim: 'stop-word' } }
const iso = (ms: number) => new Date(ms).toISOString()

function working(driver: 'headless' | 'pane'): LoopRecord {
  return goOn(post(null, created({ maxTimeMs: 1_000_000, maxIterations: 6 }, driver)).record, [{}], { steps: 3 })
}

function until(from: LoopRecord, played: Played, isThere: (state: LoopRecord['state']) => boolean): LoopRecord {
  let record = from
  while (!isThere(record.state)) record = goOn(record, [played], { steps: 1 })
  return record
}

function fire(record: LoopRecord, timer: TimerName): LoopRecord {
  const armed = Object.entries(record.pending).find(([, effect]) => effect.do === 'set-timer' && effect.name === timer)!
  return post(record, { type: 'timer-fired', timer, effect: armed[0] }).record
}

function inTurn(record: LoopRecord, event: (turn: { effect: string; turn: number }) => RunEvent): LoopRecord {
  const { effect, n } = record.state.session!.turn
  return post(record, event({ effect, turn: n })).record
}

const reported = (record: LoopRecord, report: SessionReport) =>
  inTurn(record, turn => ({ type: 'session-reported', ...turn, report }))
const stuck = (record: LoopRecord) => inTurn(record, turn => ({ type: 'session-stuck', ...turn }))
const gone = (record: LoopRecord) =>
  inTurn(record, turn => ({ type: 'session-ended', ...turn, exit: { how: 'vanished' }, outputBytes: 1 }))

const OK = { kind: 'result', offset: 5, isError: false, why: 'ok', costUsd: 0, turns: 1 } as const
const BEING_ENDED: [string, () => LoopRecord][] = [
  ['it is stuck', () => stuck(working('headless'))],
  ['of what it left running', () => fire(reported(working('headless'), OK), 'background')],
  ['its turn is over', () => fire(reported(working('pane'), { kind: 'stopped', offset: 5, running: 0 }), 'quiet')],
]

test.each(BEING_ENDED)(
  'a loop whose time is up while its session is ended because %s ends [loop-max-time]',
  (_, being) => {
    const { state } = goOn(gone(fire(being(), 'max-time')), [{}])
    expect(state).toMatchObject({ status: 'over-budget', cause: 'max-time', iteration: 1, doing: { is: 'ended' } })
  },
)

test('a loop that is paused stays paused when its time is up before its session has ended [loop-max-time]', () => {
  const paused = post(working('headless'), { type: 'pause-requested' }).record
  expect(gone(fire(paused, 'max-time')).state).toMatchObject({
    status: 'paused',
    cause: 'paused-by-user',
    doing: { is: 'resting' },
  })
})

test('who rejects a loop while its claim is checked or judged gets no complete one [loop-reject]', () => {
  const judge = { verdict: 'complete' as const, criteria: ['PASS' as const] }
  for (const phase of ['warding', 'judging'] as const) {
    const played = { ...CLAIM, judge }
    const looked = until(
      playLoop({ ward: WARD, judge: 'model' }, [], { steps: 1 }),
      played,
      state => state.doing.is === phase,
    )
    const { record } = post(looked, { type: 'reject-requested' })
    expect([record.state.status, record.state.cause, record.pending]).toEqual(['cancelled', 'rejected', {}])
  }
})

test('a rejected loop whose session is stuck shows each turn once [loop-reject]', () => {
  const rejected = post(stuck(working('headless')), { type: 'reject-requested' }).record
  const { state } = goOn(gone(rejected), [{}])
  expect(state).toMatchObject({ status: 'cancelled', cause: 'rejected' })
  expect(runDetail(state, iso).turns.map(({ turn }) => turn)).toEqual([1])
})

test('what the checks found stays to be mended when the iteration that was to do so is cut off [loop-refused]', () => {
  const red: Played = { ...CLAIM, ward: { result: 'red', failing: ['00000001'] } }
  const mending = until(playLoop({ ward: WARD }, [], { steps: 1 }), red, ({ iteration, doing }) => {
    return iteration === 2 && doing.is === 'running'
  })
  const cancelled = goOn(post(mending, { type: 'cancel-requested' }).record, [{}])
  expect(cancelled.state).toMatchObject({ status: 'cancelled', iteration: 2, failures: text(50) })
})

test('what was typed into a pane whose model is lost is told to the session that follows [loop-outage]', () => {
  const told = post(working('pane'), { type: 'told', text: text(8) }).record
  const lost = gone(reported(told, { ...OK, isError: true, why: 'outage' }))
  expect(Object.values(fire(lost, 'limit-wait').pending)).toContainEqual(
    expect.objectContaining({ do: 'prepare-iteration', iteration: 1, messages: [text(8)] }),
  )
})
