import { expect, test } from 'vitest'
import { environment, text } from '../core/run-world.ts'
import { goOn, type Played, playLoop, post, WARD } from './loop-world.ts'

type Ending = {
  name: string
  loop?: Parameters<typeof playLoop>[0]
  iterations: Played[]
  options?: Parameters<typeof playLoop>[2]
  gives: { status: string; cause: string | null; proven?: boolean | null; iteration: number }
}

const CLAIM: Played = { facts: { claim: 'stop-word' } }
const STILL: Played = { facts: { ledger: 'aaaaaaaaaaaaaaaa' } }
const RED = { result: 'red' as const, failing: ['00000001'] }

const ENDINGS: Ending[] = [
  {
    name: 'the stop word without a ward: complete, unproven',
    iterations: [{}, CLAIM],
    gives: { status: 'complete', cause: 'stop-word', proven: false, iteration: 2 },
  },
  {
    name: 'the stop word and a green ward: complete, proven',
    loop: { ward: WARD },
    iterations: [{}, CLAIM],
    gives: { status: 'complete', cause: 'stop-word', proven: true, iteration: 2 },
  },
  {
    name: 'a promise',
    loop: { ward: WARD },
    iterations: [{ facts: { claim: 'promise' } }],
    gives: { status: 'complete', cause: 'promise', proven: true, iteration: 1 },
  },
  {
    name: 'the judge, by words',
    loop: { ward: WARD },
    iterations: [{}, { facts: { verdict: 'complete' } }],
    gives: { status: 'complete', cause: 'judged', proven: true, iteration: 2 },
  },
  {
    name: 'green checks that were changed prove nothing',
    loop: { ward: WARD },
    iterations: [{ ...CLAIM, ward: { tampered: true } }],
    gives: { status: 'complete', cause: 'stop-word', proven: false, iteration: 1 },
  },
  {
    name: 'a red ward refuses a claim; the first green one after it completes',
    loop: { ward: WARD },
    iterations: [{ ...CLAIM, ward: RED }, { ...CLAIM, ward: RED }, CLAIM],
    gives: { status: 'complete', cause: 'stop-word', proven: true, iteration: 3 },
  },
  {
    name: 'three refused claims',
    loop: { ward: WARD },
    iterations: [{ ...CLAIM, ward: RED }],
    gives: { status: 'stalled', cause: 'refused-claims', iteration: 3 },
  },
  {
    name: 'a red base that never moved',
    loop: { ward: WARD },
    iterations: [{ ...CLAIM, ward: RED }],
    options: { base: RED },
    gives: { status: 'stalled', cause: 'red-base', iteration: 3 },
  },
  {
    name: 'a red base that may stay',
    loop: { ward: WARD, acceptRedBase: true },
    iterations: [{ ...CLAIM, ward: RED }],
    options: { base: RED },
    gives: { status: 'complete', cause: 'base-still-red', proven: false, iteration: 1 },
  },
  {
    name: 'only old reds left, and fewer',
    loop: { ward: WARD },
    iterations: [{ ...CLAIM, ward: RED }],
    options: { base: { result: 'red', failing: ['00000001', '00000002'] } },
    gives: { status: 'complete', cause: 'base-still-red', proven: false, iteration: 1 },
  },
  {
    name: 'the last iteration, for a model that says "continue" for ever',
    loop: { maxIterations: 7 },
    iterations: [{}],
    gives: { status: 'stalled', cause: 'max-iterations', iteration: 7 },
  },
  {
    name: 'a claim in the last iteration counts',
    loop: { maxIterations: 2 },
    iterations: [{}, CLAIM],
    gives: { status: 'complete', cause: 'stop-word', iteration: 2 },
  },
  {
    name: 'five equal ends without git',
    iterations: [{ facts: { end: 'eeeeeeee' } }],
    options: { git: false },
    gives: { status: 'stalled', cause: 'same-end', iteration: 5 },
  },
  {
    name: 'five equal ends while the ledger moves end nothing',
    loop: { maxIterations: 8 },
    iterations: [{ facts: { end: 'eeeeeeee' } }],
    gives: { status: 'stalled', cause: 'max-iterations', iteration: 8 },
  },
  {
    name: 'five equal ends and a ledger that stood still',
    loop: { stallAfter: 20 },
    iterations: [{ facts: { ledger: 'aaaaaaaaaaaaaaaa', end: 'eeeeeeee' } }],
    gives: { status: 'stalled', cause: 'same-end', iteration: 5 },
  },
  {
    name: 'an unmoved ledger, counted from the base',
    iterations: [STILL],
    gives: { status: 'stalled', cause: 'ledger-unmoved', iteration: 3 },
  },
  {
    name: 'a ledger that moved in between begins anew',
    iterations: [STILL, STILL, {}, { facts: { ledger: '0000000300000003' } }],
    gives: { status: 'stalled', cause: 'ledger-unmoved', iteration: 6 },
  },
  {
    name: 'the third change of the anchor',
    iterations: [{ facts: { anchorChanged: true } }],
    gives: { status: 'stalled', cause: 'anchor-changed', iteration: 3 },
  },
  {
    name: 'the anchor comes before a claim',
    iterations: [
      { facts: { anchorChanged: true } },
      { facts: { anchorChanged: true } },
      { facts: { anchorChanged: true, claim: 'stop-word' } },
    ],
    gives: { status: 'stalled', cause: 'anchor-changed', iteration: 3 },
  },
  {
    name: 'the same error beyond its limit',
    iterations: [{ facts: { errors: [{ key: 'abcdabcd', count: 4, text: text(9) }] } }],
    gives: { status: 'failed', cause: 'same-error', iteration: 3 },
  },
  {
    name: 'stalled, says the judge',
    iterations: [{}, { facts: { verdict: 'stalled' } }],
    gives: { status: 'stalled', cause: 'judged-stalled', iteration: 2 },
  },
  {
    name: 'with no judge words end nothing',
    loop: { judge: 'off', maxIterations: 3 },
    iterations: [{ facts: { verdict: 'complete' } }],
    gives: { status: 'stalled', cause: 'max-iterations', iteration: 3 },
  },
  {
    name: 'blocked: an agent waits for a person',
    iterations: [{ facts: { verdict: 'blocked' } }],
    gives: { status: 'blocked', cause: 'waits-for-person', iteration: 1 },
  },
  {
    name: 'where questions are not wanted, blocked is paused',
    loop: { noQuestions: true },
    iterations: [{ facts: { verdict: 'blocked' } }],
    gives: { status: 'paused', cause: 'waits-for-person', iteration: 1 },
  },
  {
    name: 'checks that could not be run are a question, not red',
    loop: { ward: WARD },
    iterations: [{ ...CLAIM, ward: { result: 'could-not-run' } }],
    gives: { status: 'blocked', cause: 'ward-could-not-run', iteration: 1 },
  },
  {
    name: 'over budget by what the iterations cost',
    loop: { maxCostUsd: 1 },
    iterations: [{ costUsd: 0.4 }],
    gives: { status: 'over-budget', cause: 'max-cost', iteration: 3 },
  },
  {
    name: 'over budget comes before a claim',
    loop: { maxCostUsd: 1 },
    iterations: [{ costUsd: 1, ...CLAIM }],
    gives: { status: 'over-budget', cause: 'max-cost', iteration: 1 },
  },
  {
    name: 'over budget by the client’s own limit',
    loop: { maxCostUsd: 1 },
    iterations: [{ ends: 'max-cost' }],
    gives: { status: 'over-budget', cause: 'max-cost', iteration: 1 },
  },
  {
    name: 'refused credentials',
    iterations: [{ ends: 'auth' }],
    gives: { status: 'failed', cause: 'auth', iteration: 1 },
  },
  {
    name: 'cut off again and again, also in a fresh session: a question',
    iterations: [{ ends: 'crash' }],
    gives: { status: 'blocked', cause: 'crashed', iteration: 1 },
  },
  {
    name: 'a limit is waited for and is no iteration',
    iterations: [{ ends: 'limit' }, CLAIM],
    gives: { status: 'complete', cause: 'stop-word', iteration: 2 },
  },
  {
    name: 'a model that is overloaded or not there likewise',
    iterations: [{ ends: 'overloaded' }, { ends: 'outage', ...CLAIM }],
    gives: { status: 'complete', cause: 'stop-word', iteration: 2 },
  },
  {
    name: 'a model that is not there for an hour: a question',
    iterations: [{}, { ends: 'outage', lasts: true }],
    gives: { status: 'blocked', cause: 'outage', iteration: 2 },
  },
  {
    name: 'the same, where nobody wants questions',
    loop: { noQuestions: true },
    iterations: [{ ends: 'overloaded', lasts: true }],
    gives: { status: 'paused', cause: 'overloaded', iteration: 1 },
  },
  {
    name: 'an error of the model ends an iteration, and the loop goes on',
    iterations: [{ ends: 'api-error' }, CLAIM],
    gives: { status: 'complete', cause: 'stop-word', iteration: 2 },
  },
  {
    name: 'the model judge refuses a claim with a criterion at FAIL',
    loop: { judge: 'model', ward: WARD },
    iterations: [{ ...CLAIM, judge: { verdict: 'complete', criteria: ['FAIL'] } }],
    gives: { status: 'stalled', cause: 'refused-claims', iteration: 3 },
  },
  {
    name: 'the model judge agrees after a green ward',
    loop: { judge: 'model', ward: WARD },
    iterations: [{ ...CLAIM, judge: { verdict: 'complete', criteria: ['PASS'] } }],
    gives: { status: 'complete', cause: 'stop-word', proven: true, iteration: 1 },
  },
  {
    name: 'the model judge never overrules a red ward',
    loop: { judge: 'model', ward: WARD },
    iterations: [{ ...CLAIM, ward: RED, judge: { verdict: 'complete', criteria: ['PASS'] } }],
    gives: { status: 'stalled', cause: 'refused-claims', iteration: 3 },
  },
  {
    name: 'without a claim the model judge is asked every fifth iteration only',
    loop: { judge: 'model', ward: WARD },
    iterations: [{ judge: { verdict: 'complete', criteria: ['PASS'] } }],
    gives: { status: 'complete', cause: 'judged', proven: true, iteration: 5 },
  },
  {
    name: 'a judge that fails is continue',
    loop: { judge: 'model', maxIterations: 6 },
    iterations: [{ judge: { failed: true } }],
    gives: { status: 'stalled', cause: 'max-iterations', iteration: 6 },
  },
]

test.each(ENDINGS)('a loop ends as it should: $name [loop-endings]', ({ loop = {}, iterations, options, gives }) => {
  const { state } = playLoop(loop, iterations, options)
  const { status, cause, proven, iteration } = state
  expect({ status, cause, iteration, ...('proven' in gives && { proven }) }).toEqual(gives)
})

test.each(ENDINGS.filter(({ gives }) => !['complete', 'blocked', 'paused'].includes(gives.status)))(
  'a loop that has ended goes on when it is resumed, with its limits anew: $name [loop-resume]',
  ({ loop = {}, iterations, options, gives }) => {
    const ended = playLoop(loop, iterations, options)
    const resumed = post(ended, { type: 'resume-requested', text: null, environment })
    expect(resumed.effects).toMatchObject([{ effect: { do: 'prepare-iteration', reopen: true } }])
    const judge = { verdict: 'complete' as const, criteria: ['PASS' as const] }
    const { state } = goOn(resumed.record, [{ facts: { claim: 'stop-word' }, judge }], options)
    // What was cut off is begun anew under its own number.
    const isClosed = ended.state.iterations.at(-1)?.facts != null
    expect(state).toMatchObject({ status: 'complete', iteration: gives.iteration + (isClosed ? 1 : 0) })
  },
)

test('resume re-arms counters and limits and goes on with the next iteration [loop-resume]', () => {
  const stalled = playLoop({ maxIterations: 2 }, [{}])
  expect(stalled.state).toMatchObject({ status: 'stalled', cause: 'max-iterations', iteration: 2 })
  const resumed = post(stalled, { type: 'resume-requested', text: text(8), environment })
  expect(resumed.effects.map(({ effect }) => effect)).toMatchObject([
    { do: 'prepare-iteration', iteration: 3, messages: [text(8)] },
  ])
  expect(goOn(resumed.record, [{}]).state).toMatchObject({ status: 'stalled', cause: 'max-iterations', iteration: 4 })
})

test('an answer to a blocked loop is in the prompt of its next iteration [loop-answer]', () => {
  const blocked = playLoop({}, [{ facts: { verdict: 'blocked' } }])
  const answered = post(blocked, { type: 'answered', text: text(8) })
  expect(answered.record.state.status).toBe('active')
  expect(answered.effects).toMatchObject([{ effect: { do: 'prepare-iteration', iteration: 2, messages: [text(8)] } }])
})

test('a blocked loop has no clock, and an answer gives it what was left of its time [loop-clock-stops]', () => {
  const blocked = playLoop({ maxTimeMs: 600_000 }, [{ facts: { verdict: 'blocked' } }])
  const { timeLimit } = blocked.state
  expect([timeLimit, Object.keys(blocked.pending)]).toEqual([{ leftMs: expect.any(Number) }, []])
  const answered = post(blocked, { type: 'answered', text: text(8) }, 3_600_000)
  const endsAtMs = answered.record.at + (timeLimit as { leftMs: number }).leftMs
  expect(answered.record.state.timeLimit).toEqual({ endsAtMs })
  expect(answered.effects).toContainEqual({
    key: expect.any(String),
    effect: { do: 'set-timer', name: 'max-time', atMs: endsAtMs },
  })
})

test('what people say while a session works is in the next prompt, once [loop-tell]', () => {
  let record = playLoop({}, [{}], { steps: 3 })
  expect(record.state.doing.is).toBe('running')
  record = post(record, { type: 'told', text: text(8) }).record
  const seen: string[][] = []
  for (let n = 0; n < 12; n++) {
    const before = record
    record = goOn(record, [{}], { steps: 1 })
    for (const [key, effect] of Object.entries(record.pending)) {
      if (effect.do === 'prepare-iteration' && !(key in before.pending)) seen.push(effect.messages)
    }
  }
  expect(seen).toEqual([[text(8)], []])
})

test('a rejected loop ends after the iteration that runs, cancelled with its own cause [loop-reject]', () => {
  const running = playLoop({}, [{}], { steps: 3 })
  const rejected = post(running, { type: 'reject-requested' })
  expect([rejected.record.state.status, rejected.effects]).toEqual(['active', []])
  expect(goOn(rejected.record, [{}]).state).toMatchObject({ status: 'cancelled', cause: 'rejected', iteration: 1 })
})

test('a loop that is cancelled while it works ends its session first [loop-cancel]', () => {
  const running = playLoop({}, [{}], { steps: 3 })
  const cancelled = post(running, { type: 'cancel-requested' })
  expect(cancelled.effects).toMatchObject([{ effect: { do: 'end-session' } }])
  expect(goOn(cancelled.record, [{}]).state).toMatchObject({ status: 'cancelled', cause: 'cancelled' })
})
