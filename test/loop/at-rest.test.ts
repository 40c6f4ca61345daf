import { expect, test } from 'vitest'
import type { Effect } from '../../src/core/effect.ts'
import { environment, text } from '../core/run-world.ts'
import { goOn, type LoopRecord, type Played, playLoop, post, WARD } from './loop-world.ts'

const CLAIM: Played = { facts: { claim: 'stop-word' } }
const RESUME = { type: 'resume-requested', text: null, environment } as const

/** Played on until this is asked for. */
function untilAsked(from: LoopRecord, deed: Effect['do'], played: Played): [LoopRecord, string] {
  let record = from
  for (;;) {
    const [effect] = Object.entries(record.pending).find(([, asked]) => asked.do === deed) ?? []
    if (effect) return [record, effect]
    record = goOn(record, [played], { steps: 1 })
  }
}

test.each(['run-ward', 'close-iteration'] as const)(
  'a loop that is paused again while its project is missing does %s once it is resumed [loop-project-missing]',
  deed => {
    const [asked, effect] = untilAsked(playLoop({ ward: WARD }, [], { steps: 1 }), deed, CLAIM)
    const missing = post(asked, { type: 'project-not-found', effect }).record
    const paused = post(missing, { type: 'pause-requested' }).record
    expect(paused.state).toMatchObject({ status: 'paused', cause: 'paused-by-user' })
    expect(post(paused, RESUME).effects).toMatchObject([{ effect: { do: deed } }])
  },
)

test('a pause that came before a question is obeyed after the answer [loop-answer]', () => {
  const unable: Played = { ...CLAIM, ward: { result: 'could-not-run' } }
  const [running] = untilAsked(playLoop({ ward: WARD }, [{}], { steps: 2 }), 'run-session', unable)
  const [asked] = untilAsked(running, 'run-ward', unable)
  const blocked = goOn(post(asked, { type: 'pause-requested' }).record, [unable], { steps: 1 })
  expect(blocked.state).toMatchObject({ status: 'blocked', cause: 'ward-could-not-run' })
  const answered = post(blocked, { type: 'answered', text: text(8) }).record
  expect(answered.state).toMatchObject({ status: 'paused', cause: 'paused-by-user', waiting: [text(8)] })
  const resumed = post(answered, RESUME).record
  expect(goOn(resumed, [{}], { steps: 1 }).state).toMatchObject({ status: 'active', doing: { is: 'running' } })
})

test('a cancel while a cut-off iteration is kept leaves what the checks found for a resume [loop-refused]', () => {
  const red: Played = { ...CLAIM, ward: { result: 'red', failing: ['00000001'] } }
  const [refused] = untilAsked(playLoop({ ward: WARD, maxTimeMs: 1e9 }, [red], { steps: 7 }), 'prepare-iteration', red)
  expect(refused.state).toMatchObject({ iteration: 2, failures: text(50) })
  const [working] = untilAsked(refused, 'run-session', red)
  const waiting = goOn(working, [{ ends: 'limit' }], { steps: 3 })
  const keeping = post(waiting, { type: 'reject-requested' }).record
  expect(keeping.state.doing).toEqual({ is: 'keeping', ending: { status: 'cancelled', cause: 'rejected' } })
  const cancelled = goOn(post(keeping, { type: 'cancel-requested' }).record, [{}])
  expect(cancelled.state).toMatchObject({ status: 'cancelled', cause: 'cancelled', failures: text(50) })
})
