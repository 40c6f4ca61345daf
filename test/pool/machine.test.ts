import { describe, expect, test } from 'vitest'
import type { Effect, EffectOf } from '../../src/core/effect.ts'
import { liveOf } from '../../src/core/parent/parent-state.ts'
import { childOf, PLANNER, type PoolRun } from '../../src/core/pool/pool-state.ts'
import { BASE, environment, RUN, taskMerged, text } from '../core/run-world.ts'
import { created, type PoolRecord, play, playPool, post, task } from './pool-world.ts'

const ABC = [task('A'), task('B'), task('C')]
const statusOf = ({ state }: { state: { status: string; cause: string | null; proven: boolean | null } }) => [
  state.status,
  state.cause,
  state.proven,
]
const states = ({ state }: ReturnType<typeof playPool>['record']) =>
  state.tasks.map(({ id, state }) => `${id} ${state}`)

const hasWorker = (state: PoolRun) => liveOf(state).some(({ name }) => name !== PLANNER)

describe('a pool comes to its end [pool-endings]', () => {
  test.each([
    [
      'every task is merged and the checks are green',
      { ward: text(77) },
      { tasks: [ABC] },
      ['complete', 'merged', true],
    ],
    ['there are no checks', {}, { tasks: [ABC] }, ['complete', 'merged', false]],
    ['the planner leaves no task', {}, { tasks: [[]] }, ['stalled', 'empty-plan', null]],
    ['a planner without workers has planned', { autoSpawn: false }, { tasks: [ABC] }, ['complete', 'planned', null]],
    ['a planner without workers has no plan', { autoSpawn: false }, {}, ['stalled', 'empty-plan', null]],
    [
      'the planner gets nowhere',
      {},
      { children: { planner: [{ status: 'stalled' as const, cause: 'max-iterations' as const }] } },
      ['stalled', 'max-iterations', null],
    ],
    ['the planner cannot be started', {}, { notStarted: { planner: 1 } }, ['failed', 'client-missing', null]],
    [
      'a task is given back three times',
      {},
      { tasks: [ABC], children: { B: Array(3).fill({ status: 'failed', cause: 'crashed' }) } },
      ['stalled', 'tasks-left', null],
    ],
    [
      'a task is red on the result three times',
      { ward: text(77) },
      { tasks: [ABC], merges: { B: Array(3).fill({ result: 'red' }) } },
      ['stalled', 'tasks-left', null],
    ],
    [
      'a conflict comes again',
      {},
      { tasks: [ABC], merges: { B: Array(2).fill({ result: 'conflict' }) } },
      ['blocked', 'conflict', null],
    ],
    [
      'nobody is to be asked about a conflict',
      { noQuestions: true },
      { tasks: [ABC], merges: { B: Array(2).fill({ result: 'conflict' }) } },
      ['paused', 'conflict', null],
    ],
    [
      'the checks cannot be run',
      {},
      { tasks: [ABC], merges: { A: [{ result: 'could-not-run' as const }] } },
      ['blocked', 'ward-could-not-run', null],
    ],
    ['it costs too much', { maxCostUsd: 1.2 }, { tasks: [ABC] }, ['over-budget', 'max-cost', null]],
    [
      'the judge is never content',
      { judge: 'model' as const },
      {
        tasks: Array.from({ length: 30 }, (_, n) => (n % 2 ? [] : [task(`T${n}`)])),
        judges: Array(30).fill('continue'),
      },
      ['stalled', 'max-iterations', null],
    ],
  ])('%s', (_, change, given, ended) => {
    expect(statusOf(playPool(change, given).record)).toEqual(ended)
  })
})

test('a worker that dies or cannot start gives its task back, and the others go on [pool-gives-back]', () => {
  const { record, log } = playPool(
    {},
    {
      tasks: [ABC],
      children: { A: [{ status: 'failed', cause: 'crashed' }] },
      notStarted: { B: 2 },
    },
  )
  expect(states(record)).toEqual(['A merged', 'B merged', 'C merged'])
  expect(log.filter(line => /^[AB] /.test(line))).toEqual([
    'A failed',
    'B not started',
    'A complete',
    'B not started',
    'B complete',
  ])
})

test('red goes back to its worker with the failure, a conflict once, with the result taken in [pool-back-to-worker]', () => {
  const { record, log } = playPool(
    { ward: text(77) },
    {
      tasks: [ABC],
      merges: { A: [{ result: 'red', report: text(71) }], B: [{ result: 'conflict', report: text(72) }] },
    },
  )
  expect(statusOf(record)).toEqual(['complete', 'merged', true])
  expect(log.filter(line => line.endsWith(' A') || line.startsWith('A '))).toEqual([
    'A complete',
    'merge A',
    'A complete',
    'merge A',
  ])
  expect(log.filter(line => line.endsWith(' B') || line.startsWith('B '))).toEqual([
    'B complete',
    'merge B',
    'B complete',
    'merge B',
  ])
})

test('the answer about a conflict sends the worker on, or drops the task [pool-conflict-answer]', () => {
  const stuck = playPool({}, { tasks: [ABC], merges: { B: Array(2).fill({ result: 'conflict' }) } }).record
  const again = play(post(stuck, { type: 'answered', text: text(90), task: 'B' }).record, {}).record
  expect([statusOf(again), states(again)]).toEqual([
    ['complete', 'merged', false],
    ['A merged', 'B merged', 'C merged'],
  ])
  const dropped = play(post(stuck, { type: 'answered', text: text(90), task: 'B', drop: true }).record, {}).record
  expect([statusOf(dropped), states(dropped)]).toEqual([
    ['complete', 'merged', false],
    ['A merged', 'B dropped', 'C merged'],
  ])
})

test('a question stops the clock of a pool, and the answer gives it what was left of its time [pool-clock-stops]', () => {
  const given = { tasks: [ABC], merges: { B: Array(2).fill({ result: 'conflict' }) } }
  const stuck = playPool({ maxTimeMs: 600_000 }, given).record
  const { timeLimit } = stuck.state
  expect([stuck.state.status, timeLimit, stuck.pending]).toEqual(['blocked', { leftMs: expect.any(Number) }, {}])
  const { record } = post(stuck, { type: 'answered', text: text(90), task: 'B' })
  expect(record.state.timeLimit).toEqual({ endsAtMs: record.at + (timeLimit as { leftMs: number }).leftMs })
})

test('what people say goes to whoever works, and waits for the planner; a plan without a task for it is no stall [pool-tell]', () => {
  const { record: planning } = post(post(null, created({})).record, {
    type: 'branch-opened',
    effect: `${RUN}:1:0`,
    base: { commit: BASE, tree: BASE },
    notes: [],
  })
  const { record: told, effects } = post(planning, { type: 'told', text: text(7) })
  expect(effects).toMatchObject([
    { effect: { do: 'tell-children', what: 'tell', text: text(7), children: ['planner'] } },
  ])
  const { record } = play(told, { tasks: [ABC] })
  expect([statusOf(record), record.state.round, record.state.waiting]).toEqual([['complete', 'merged', false], 2, []])
})

test('what is said while the planner plans for what was said before is planned for too, also in the same words [pool-tell]', () => {
  const worksOn = play(post(null, created({ maxWorkers: 1 })).record, { tasks: [[task('A')]] }, ({ state }) =>
    hasWorker(state),
  ).record
  const told = post(worksOn, { type: 'told', text: text(7) })
  expect(told.effects).toMatchObject([{ effect: { do: 'tell-children', of: told.record.seq } }])
  const plans = play(told.record, {}, ({ state }) => state.round === 2).record
  expect([childOf(plans.state, PLANNER).isLive, plans.state.waiting]).toEqual([true, []])
  const again = post(post(plans, { type: 'told', text: text(7) }).record, { type: 'told', text: text(7) })
  // It has heard the first of them only.
  const { record } = play(again.record, { children: { planner: [{ heard: [again.record.seq - 1] }] } })
  expect([statusOf(record), record.state.round, record.state.waiting]).toEqual([['complete', 'merged', false], 3, []])
})

test('the time limit of a pool stands still while its last live worker waits for a person [pool-clock-stops]', () => {
  const stops = ({ state }: PoolRecord) => hasWorker(state)
  const { record } = play(post(null, created({ maxTimeMs: 600_000 })).record, { tasks: [[task('A')]] }, stops)
  const { timeLimit } = record.state
  const [effect] = Object.entries(record.pending).find(([, { do: what }]) => what === 'run-child')!
  const says = { type: 'child-changed' as const, effect, child: 'A', iteration: 1, costUsd: 0 }
  const rests = post(record, { ...says, status: 'blocked', cause: 'waits-for-person' }).record
  const leftMs = (timeLimit as { endsAtMs: number }).endsAtMs - rests.at
  expect([rests.state.status, rests.state.timeLimit]).toEqual(['blocked', { leftMs }])
  const goesOn = post(rests, { ...says, status: 'active', cause: null }).record
  expect(Object.values(goesOn.pending)).toContainEqual({
    do: 'set-timer',
    name: 'max-time',
    atMs: goesOn.at + leftMs,
  })
})

test('a merge is asked for before the next worker [pool-workers]', () => {
  const merges = ({ state }: PoolRecord) => state.merging !== null
  const { record } = play(post(null, created({ maxWorkers: 1 })).record, { tasks: [ABC] }, merges)
  expect(Object.entries(record.pending).map(([key, { do: what }]) => [key, what])).toEqual([
    [`${RUN}:${record.seq}:0`, 'merge-task'],
    [`${RUN}:${record.seq}:1`, 'run-child'],
  ])
})

test('a judge that says continue makes the planner plan again, with what it said [pool-plans-again]', () => {
  const { record, log } = playPool(
    { judge: 'model' },
    { tasks: [[task('A')], [], [task('B')], []], judges: ['continue', 'complete'] },
  )
  expect(statusOf(record)).toEqual(['complete', 'merged', false])
  expect(log).toEqual(['planner complete', 'A complete', 'merge A', 'planner complete', 'B complete', 'merge B'])
})

test('resume goes on with what is left, and with more workers where they are asked for [pool-resume]', () => {
  const planned = playPool({ autoSpawn: false }, { tasks: [ABC] }).record
  const { record } = play(post(planned, { type: 'resume-requested', text: null, environment, workers: 2 }).record, {})
  expect([statusOf(record), record.state.pool.maxWorkers]).toEqual([['complete', 'merged', false], 2])
  // Asked twice because its answer was not heard: one more.
  const request = '33333333-3333-4333-8333-333333333333'
  const more = { type: 'resume-requested', text: null, environment, workers: 1, request } as const
  const asked = post(post(post(null, created()).record, more).record, more).record
  expect(asked.state.pool.maxWorkers).toBe(4)
  const left = playPool(
    {},
    { tasks: [ABC], children: { B: Array(3).fill({ status: 'failed', cause: 'crashed' }) } },
  ).record
  const again = play(post(left, { type: 'resume-requested', text: null, environment }).record, {}).record
  expect(states(again)).toEqual(['A merged', 'B merged', 'C merged'])
})

test('cancel and pause reach every child, and nothing starts after them [pool-stops]', () => {
  let record = post(null, created({ maxWorkers: 2 })).record
  const next = (of: string) => Object.entries(record.pending).find(([, effect]) => effect.do === of)!
  const pending = (of: string) => Object.values(record.pending).filter(effect => effect.do === of).length
  record = post(record, {
    type: 'branch-opened',
    effect: next('open-branch')[0],
    base: { commit: 'b'.repeat(40), tree: 'b'.repeat(40) },
    notes: [],
  }).record
  const left = { commit: 'c'.repeat(40), limitResetsAt: null, heard: [], notes: [] }
  const outcome = { status: 'complete' as const, cause: null, iteration: 1, costUsd: 0, ...left }
  record = post(record, { type: 'child-ended', effect: next('run-child')[0], child: 'planner', outcome }).record
  record = post(record, { type: 'tasks-read', effect: next('read-tasks')[0], added: ABC, notes: [] }).record
  expect([pending('run-child'), states(record)]).toEqual([2, ['A active', 'B active', 'C pending']])

  record = post(record, { type: 'pause-requested' }).record
  expect(next('tell-children')[1]).toMatchObject({ what: 'pause', children: ['A', 'B'] })
  const ended = post(record, { type: 'child-ended', effect: next('run-child')[0], child: 'A', outcome }).record
  expect([ended.state.status, states(ended)]).toEqual(['paused', ['A merging', 'B active', 'C pending']])

  record = post(record, { type: 'cancel-requested' }).record
  for (const child of ['A', 'B']) {
    expect(record.state.status).not.toBe('cancelled')
    const cancelled = { ...outcome, status: 'cancelled' as const }
    const [effect] = Object.entries(record.pending).find(([, of]) => of.do === 'run-child' && of.child === child)!
    record = post(record, { type: 'child-ended', effect, child, outcome: cancelled }).record
  }
  expect([statusOf(record), states(record)]).toEqual([
    ['cancelled', 'cancelled', null],
    ['A pending', 'B pending', 'C pending'],
  ])
})

const pendingOf = <D extends Effect['do']>({ pending }: PoolRecord, of: D, child?: string) =>
  Object.entries(pending).find(([, effect]) => {
    return effect.do === of && (child === undefined || (effect.do === 'run-child' && effect.child === child))
  }) as [string, EffectOf<D>]

test('a paused pool whose question is answered stays paused until it is resumed [pool-stops]', () => {
  const start = post(null, created({ ward: text(77) })).record
  const merging = play(start, { tasks: [[task('A')]] }, ({ state }) => state.merging !== null).record
  const paused = post(merging, { type: 'pause-requested' }).record
  const [effect, asked] = pendingOf(paused, 'merge-task')
  const asks = post(paused, taskMerged(effect, asked, true, { result: 'could-not-run' })).record
  expect(statusOf(asks)).toEqual(['blocked', 'ward-could-not-run', null])
  const answered = post(asks, { type: 'answered', text: text(7) })
  expect([statusOf(answered.record), answered.effects]).toEqual([['paused', 'paused-by-user', null], []])
  const resumed = post(answered.record, { type: 'resume-requested', text: null, environment }).record
  expect(statusOf(play(resumed, {}).record)).toEqual(['complete', 'merged', true])
})

test('what a worker had done is merged, also when it is what made the pool too expensive [pool-endings]', () => {
  const start = post(null, created({ maxWorkers: 2, maxCostUsd: 10 })).record
  const isWorking = ({ state }: PoolRecord) => hasWorker(state)
  let record = play(start, { tasks: [[task('A'), task('B')]] }, isWorking).record
  const [first] = pendingOf(record, 'run-child', 'A')
  const [second] = pendingOf(record, 'run-child', 'B')
  const dear = { costUsd: 5, iteration: 1 }
  const working = { type: 'child-changed', status: 'active', cause: null, ...dear } as const
  record = post(record, { ...working, effect: second, child: 'B' }).record
  const done = { status: 'complete', cause: 'stop-word', ...dear } as const
  record = post(record, { type: 'child-changed', effect: first, child: 'A', ...done }).record
  const left = { commit: BASE, limitResetsAt: null, heard: [], notes: [] }
  record = post(record, { type: 'child-ended', effect: first, child: 'A', outcome: { ...done, ...left } }).record
  expect(record.state).toMatchObject({ merging: 'A', wish: 'cost' })
  const cancelled = { type: 'child-ended', child: 'B', outcome: { ...done, ...left, status: 'cancelled' } } as const
  record = play(post(record, { ...cancelled, effect: second }).record, {}).record
  expect([statusOf(record), states(record)]).toEqual([
    ['over-budget', 'max-cost', null],
    ['A merged', 'B pending'],
  ])
})

test('a cancelled pool ends although the checks of its last merge could not be run [pool-stops]', () => {
  const start = post(null, created({ ward: text(77) })).record
  const merging = play(start, { tasks: [[task('A')]] }, ({ state }) => state.merging !== null).record
  const cancelled = post(merging, { type: 'cancel-requested' }).record
  expect(cancelled.state.status).toBe('active')
  const [effect, asked] = pendingOf(cancelled, 'merge-task')
  const over = post(cancelled, taskMerged(effect, asked, true, { result: 'could-not-run' })).record
  expect(statusOf(over)).toEqual(['cancelled', 'cancelled', null])
})
