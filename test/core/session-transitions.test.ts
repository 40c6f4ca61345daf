import { describe, expect, test } from 'vitest'
import { CUT_OFF_NOTE, LOST_NOTE, RESUMED_NOTE } from '../../src/core/notes.ts'
import { WAITING_KEPT } from '../../src/core/session/session-state.ts'
import { detailOf } from '../../src/core/session/session-view.ts'
import { RUN, spec, text } from './run-world.ts'
import * as world from './session-world.ts'
import {
  background,
  cancel,
  delivered,
  ended,
  fired,
  init,
  notStarted,
  pause,
  pending,
  play,
  result,
  resume,
  started,
  told,
} from './session-world.ts'

const working = [started, init]
const OK = { kind: 'result', isError: false, why: 'ok', turns: 1 } as const

test('what a turn had spent when it was ended counts, once: by its own note, or by a later result [core-cost-sum]', () => {
  const noted = (totalUsd: number) => (record: world.SessionRecord) => ({ ...ended(143)(record), totalUsd })
  const says = (costUsd: number, totalUsd: number) => world.reported({ ...OK, costUsd, totalUsd })
  const cost = (...events: Parameters<typeof play>) => {
    const { costUsd, turns } = detailOf(play(...events).record.state, String)
    return [costUsd, ...turns.map(turn => Math.round(turn.costUsd * 100) / 100)]
  }
  const paused = [...working, pause]
  expect(cost(...paused, noted(0.3))).toEqual([0.3, 0.3])
  // It is in the total of what follows, whether we had heard of it or not.
  expect(cost(...paused, noted(0.3), resume(), ...working, says(0.2, 0.5), ended(0))).toEqual([0.5, 0.3, 0.2])
  expect(cost(...paused, ended(143), resume(), ...working, says(0.2, 0.5), ended(0))).toEqual([0.5, 0, 0.5])
  // A total that lacks what a killed turn had said takes nothing away.
  const killed = [...working, says(0.3, 0.3), ended(null), resume(), ...working]
  expect(cost(...killed, says(0.2, 0.2), says(0.1, 0.3), ended(0))).toEqual([0.6, 0.3, 0.3])
})

describe('how a run ends', () => {
  test.for([
    ['its turn ended well', [result('ok'), ended(0)], 'complete', 'finished'],
    ['its turn ended well and the client was then killed', [result('ok'), ended(null)], 'complete', 'finished'],
    ['background work outlived its grace', [result('ok'), fired('background'), ended(143)], 'complete', 'finished'],
    ['the account is at a limit', [result('limit'), ended(1)], 'failed', 'limit'],
    ['the model is overloaded', [result('overloaded'), ended(1)], 'failed', 'overloaded'],
    ['the credentials were refused', [result('auth'), ended(1)], 'failed', 'auth'],
    ['the model cannot be reached', [result('outage'), ended(1)], 'failed', 'outage'],
    ['the model answers with an error', [result('api-error'), ended(1)], 'failed', 'api-error'],
    ['the client reported an error', [result('client-error'), ended(1)], 'failed', 'client-error'],
    ['it reached its cost limit', [result('max-cost'), ended(1)], 'over-budget', 'max-cost'],
    ['it reached its time limit', [fired('max-time'), ended(143)], 'over-budget', 'max-time'],
    ['it was cancelled', [cancel, ended(143)], 'cancelled', 'cancelled'],
    ['it was paused', [pause, ended(143)], 'paused', 'paused-by-user'],
    ['it was paused, then cancelled', [pause, cancel, ended(143)], 'cancelled', 'cancelled'],
    ['it was cancelled, then paused', [cancel, pause, ended(143)], 'cancelled', 'cancelled'],
    ['it was stuck, and out of time', [world.stuck, fired('max-time'), ended(143)], 'over-budget', 'max-time'],
    ['it was out of time, then paused', [fired('max-time'), pause, ended(143)], 'over-budget', 'max-time'],
    ['a paused one was cancelled', [pause, ended(143), cancel], 'cancelled', 'cancelled'],
    ['a cut off one was cancelled', [ended(null), cancel], 'cancelled', 'cancelled'],
    ['a cut off one was out of time', [ended(null), fired('max-time')], 'over-budget', 'max-time'],
  ] as const)('%s [core-end-cause]', ([, events, status, cause]) => {
    const { state } = play(...working, ...events).record
    expect([state.status, state.cause]).toEqual([status, cause])
    expect(state.endedAt === null).toBe(status === 'paused')
  })

  test.for([
    ['needs-environment', 'paused'],
    ['project-missing', 'paused'],
    ['session-busy', 'paused'],
    ['client-missing', 'failed'],
  ] as const)('a session that could not start for %s leaves its run %s [core-end-cause]', ([cause, status]) => {
    const { state, pending } = play(notStarted(cause)).record
    expect([state.status, state.cause, state.turn.state]).toEqual([status, cause, 'ended'])
    expect(pending).toEqual({})
  })

  test.for([
    ['cancelled', cancel, 'cancelled'],
    ['out of time', fired('max-time'), 'over-budget'],
  ] as const)(
    'one that was %s before it could start is not called anything else [core-end-cause]',
    ([, why, status]) => {
      expect(play(why, notStarted('client-missing')).record.state.status).toBe(status)
      expect(play(why, notStarted('project-missing')).record.state.status).toBe(status)
    },
  )

  test('a client that ends with a code before it said a word is not tried again [core-end-cause]', () => {
    const { record, effects } = play(started, ended(1))
    expect([record.state.status, record.state.cause]).toEqual(['failed', 'client-refused'])
    expect(effects).toEqual([])
  })
})

describe('turns', () => {
  test('a run is created with its first turn asked for and its clock set [core-first-turn]', () => {
    const { record, effects } = play()
    expect(effects.map(({ key, effect }) => [key, effect.do])).toEqual([
      [`${RUN}:1:0`, 'run-session'],
      [`${RUN}:1:1`, 'set-timer'],
    ])
    expect(record.state.turn).toMatchObject({ n: 1, state: 'starting', effect: `${RUN}:1:0` })
    expect(Object.keys(record.pending)).toEqual(effects.map(({ key }) => key))
  })

  test('a run without a time limit sets no clock [core-first-turn]', () => {
    const { effects } = world.post(null, world.created({ maxTimeMs: null }))
    expect(effects.map(({ effect }) => effect.do)).toEqual(['run-session'])
  })

  test('messages that wait are the next turn’s prompt, in order, and are given once [core-told-next-turn]', () => {
    const { record, effects } = play(...working, told(7), told(8), result('ok'), ended(0))
    expect(record.state).toMatchObject({ status: 'active', waiting: [], turn: { n: 2, state: 'starting' } })
    expect(effects[0]?.effect).toMatchObject({
      do: 'run-session',
      turn: 2,
      fresh: { texts: [text(1), text(7), text(8)] },
      resumed: { note: null, texts: [text(7), text(8)] },
    })
  })

  test('a message to a paused run waits for its resume [core-told-next-turn]', () => {
    const paused = play(...working, pause, ended(143), told(7))
    expect(paused.record.state).toMatchObject({ status: 'paused', waiting: [text(7)] })
    const { effects } = world.post(paused.record, resume(8))
    expect(effects[0]?.effect).toMatchObject({ resumed: { note: null, texts: [text(7), text(8)] } })
  })

  test('a resume without a text says that the run was stopped [core-resume]', () => {
    const { record, effects } = play(...working, cancel, ended(143), delivered, resume())
    expect(record.state).toMatchObject({ status: 'active', cause: null, endedAt: null, turn: { n: 2 } })
    expect(effects.map(({ effect }) => effect.do)).toEqual(['run-session', 'set-timer'])
    expect(effects[0]?.effect).toMatchObject({ resumed: { note: RESUMED_NOTE, texts: [] } })
  })

  test('a resumed run has its limits anew: one clock, the cut-offs forgotten [core-resume]', () => {
    const { record } = play(...working, ended(null), pause, resume())
    expect(pending(record, 'set-timer')).toHaveLength(1)
    expect(record.state.crashes).toBe(0)
  })

  test('a resume of an active run changes nothing [core-resume]', () => {
    const before = play(...working)
    const { record, effects } = world.post(before.record, resume(8))
    expect([record.state, effects]).toEqual([before.record.state, []])
  })

  test('each ended turn is kept in a line, the last fifty of them [core-state-bounded]', () => {
    let { record } = play(...working, result('ok'), ended(0))
    for (let n = 0; n < 60; n++) {
      record = world.post(record, resume(8)).record
      for (const event of [started, result('ok'), ended(0)]) record = world.post(record, event(record)).record
    }
    expect(record.state.turn.n).toBe(61)
    expect(record.state.earlier.map(({ n }) => n)).toEqual(Array.from({ length: 50 }, (_, n) => n + 11))
    expect(record.state.costUsd).toBeCloseTo(61 * 0.5)
  })

  test('more messages than anybody reads are not taken [core-state-bounded]', () => {
    let { record } = play(...working)
    for (let n = 0; n < WAITING_KEPT + 5; n++) record = world.post(record, told(n)).record
    expect(record.state.waiting).toHaveLength(WAITING_KEPT)
  })
})

describe('a session in a pane', () => {
  const pane = (...events: Parameters<typeof play>) => world.playAs({ driver: 'pane' }, ...events)

  test('is told by typing, as long as it runs; else the text waits for its next turn [core-told-next-turn]', () => {
    const { record, effects } = pane(started, told(7))
    expect(record.state.waiting).toEqual([])
    expect(effects.map(({ effect }) => effect)).toEqual([
      { do: 'type-text', turn: 1, session: spec.session, text: text(7) },
    ])
    expect(world.post(record, world.typed(record)).record.pending).not.toHaveProperty(effects[0]!.key)
    for (const before of [pane(), pane(started, pause), pane(started, ended(null))]) {
      const { record, effects } = world.post(before.record, told(7))
      expect([record.state.waiting, effects]).toEqual([[text(7)], []])
    }
  })

  test('that its user closes is complete; one that was cut off goes on [core-pane-closed]', () => {
    const closed = pane(started, ended(0)).record.state
    expect([closed.status, closed.cause]).toEqual(['complete', 'closed'])
    expect(pane(started, ended(null)).record.state).toMatchObject({ status: 'active', crashes: 1 })
    // Its pane was taken from under it: only of who has taken it over that is a wish.
    expect(pane(started, ended(129)).record.state).toMatchObject({ status: 'active', crashes: 1 })
    const theirs = pane(started, world.reported({ kind: 'taken-over' }), ended(129)).record.state
    expect([theirs.status, theirs.cause]).toEqual(['complete', 'closed'])
  })

  test('that goes on after a stop has not ended: what ends it then has cut it off [core-pane-closed]', () => {
    const stopped = world.reported({ kind: 'stopped', running: 0 })
    const goesOn = world.reported({ kind: 'working' })
    expect(pane(started, stopped, ended(null)).record.state).toMatchObject({ status: 'complete' })
    expect(pane(started, stopped, goesOn, ended(null)).record.state).toMatchObject({ status: 'active', crashes: 1 })
  })
})

describe('a session that is cut off', () => {
  test('goes on by itself after a growing wait, and is told what happened [core-crash-resumed]', () => {
    const first = play(...working, ended(null))
    const wait = first.effects[0]?.effect
    expect(wait).toEqual({ do: 'set-timer', name: 'crash-wait', atMs: first.record.at + 1_000 })
    const next = world.post(first.record, fired('crash-wait')(first.record))
    expect(next.effects[0]?.effect).toMatchObject({ do: 'run-session', turn: 2, resumed: { note: CUT_OFF_NOTE } })
    // Its client may have been killed before it wrote anything down.
    expect(next.effects[0]?.effect).toMatchObject({ fresh: { note: LOST_NOTE } })
    let { record } = next
    for (const event of [started, ended(null)]) record = world.post(record, event(record)).record
    expect(Object.values(record.pending)).toContainEqual({
      do: 'set-timer',
      name: 'crash-wait',
      atMs: record.at + 5_000,
    })
  })

  test('before it answered is told every message again when it has to begin again [core-crash-retold]', () => {
    const cut = [ended(null), fired('crash-wait')] as const
    const killed = play(started, told(7), ended(null), told(8), fired('crash-wait'), ...working, ...cut)
    expect(killed.effects[0]?.effect).toMatchObject({
      turn: 3,
      fresh: { note: LOST_NOTE, texts: [text(1), text(7), text(8)] },
      resumed: { note: CUT_OFF_NOTE, texts: [] },
    })
  })

  test('in a pane before it answered is told again what it was given and what was typed [core-crash-retold]', () => {
    const cut = [ended(null), fired('crash-wait')] as const
    const first = [started, told(7), ended(null), told(8), fired('crash-wait')] as const
    const { effects } = world.playAs({ driver: 'pane' }, ...first, started, told(9), ...cut)
    expect(effects[0]?.effect).toMatchObject({ turn: 3, fresh: { texts: [1, 7, 8, 9].map(text) } })
  })

  test('after an answer is told nothing again: its transcript has every message [core-crash-retold]', () => {
    const answered = [...working, told(7), result('ok'), ended(0), ...working, result('ok'), told(8), ended(0)] as const
    const { record, effects } = play(...answered, ...working, ended(null), fired('crash-wait'))
    expect(effects[0]?.effect).toMatchObject({ turn: 4, fresh: { texts: [text(1)] }, resumed: { texts: [] } })
    expect(record.state.unanswered).toBe(null)
  })

  test('is given up after its retries, and a result in between counts them anew [core-crash-resumed]', () => {
    const cut = [started, ended(null)] as const
    const again = fired('crash-wait')
    const third = play(...cut, again, ...cut, again, ...cut).record.state
    expect([third.status, third.cause, third.turn.n]).toEqual(['failed', 'crashed', 3])
    const between = [started, told(), result('ok'), ended(0)] as const
    const calmer = play(...cut, again, ...cut, again, ...between, ...cut).record.state
    expect([calmer.status, calmer.crashes]).toEqual(['active', 1])
  })

  test('before it spoke, without leaving a code, is a cut and not a refusal [core-crash-resumed]', () => {
    expect(play(started, ended(null)).record.state).toMatchObject({ status: 'active', crashes: 1 })
  })
})

describe('ending a session', () => {
  test('is asked for once, however many reasons come [core-one-session]', () => {
    const { record } = play(...working, pause, cancel, fired('max-time'), cancel)
    expect(pending(record, 'end-session')).toHaveLength(1)
    expect(record.state.turn.ending).toBe('cancel')
  })

  test('a result starts the grace of background work anew; when none is left the grace is forgotten [core-background]', () => {
    const two = play(...working, result('ok'), background(1), result('ok')).record
    expect(
      Object.values(two.pending).filter(effect => effect.do === 'set-timer' && effect.name === 'background'),
    ).toEqual([{ do: 'set-timer', name: 'background', atMs: two.at + spec.backgroundGraceMs }])
    const none = play(...working, result('ok'), background(1), background(0)).record
    expect(Object.values(none.pending)).not.toContainEqual(expect.objectContaining({ name: 'background' }))
  })
})

describe('cost', () => {
  test('every result of every turn counts, once [core-cost-sum]', () => {
    const two = [started, result('ok', 0.25), background(1), result('ok', 0.5), ended(0)] as const
    const { record } = play(...two, resume(8), ...two)
    expect(record.state.costUsd).toBe(1.5)
    expect(record.state.earlier.map(({ costUsd }) => costUsd)).toEqual([0.75])
  })

  test('output that is read a second time is not paid for twice [core-cost-sum]', () => {
    const before = play(...working, result('ok', 0.5))
    const again = world.reported({ kind: 'result', isError: false, why: 'ok', costUsd: 0.5, turns: 1 })({
      ...before.record,
      state: { ...before.record.state, turn: { ...before.record.state.turn, reportedTo: 10 } },
    })
    expect(world.post(before.record, again).record.state).toEqual(before.record.state)
  })
})

describe('the time limit while somebody is asked', () => {
  const stop = { type: 'clock-stopped' } as const
  const goOn = { type: 'clock-started' } as const
  const timers = ({ pending }: world.SessionRecord) =>
    Object.values(pending).flatMap(effect => (effect.do === 'set-timer' ? [[effect.name, effect.atMs]] : []))

  test('it stands still, and goes on with what was left [session-max-time]', () => {
    const { record } = world.playAs({ maxTimeMs: 60_000 }, ...working)
    const endsAt = timers(record)[0]![1] as number
    const stopped = world.post(record, stop).record
    expect(timers(stopped)).toEqual([])
    const later = { ...stopped, at: stopped.at + 3_600_000 }
    const again = world.post(later, goOn).record
    expect(timers(again)).toEqual([['max-time', endsAt + again.at - stopped.at]])
    expect(world.post(again, goOn).record.pending).toEqual(again.pending)
  })

  test('a run that was paused meanwhile, or has no limit, has nothing that could go on [session-max-time]', () => {
    const paused = world.playAs({ maxTimeMs: 60_000 }, ...working, stop, pause, ended(143), goOn).record
    expect([paused.state.status, timers(paused)]).toEqual(['paused', []])
    expect(timers(world.playAs({ maxTimeMs: null }, ...working, stop, goOn).record)).toEqual([])
  })
})
