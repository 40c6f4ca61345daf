import { expect, test } from 'vitest'
import { RehoboamError } from '../../src/contract/errors.ts'
import { CREATED, ended, KEY, makeRuns, RUN, told } from './house.ts'

test('an event is on the disk before anything is done about it [runtime-write-first]', async () => {
  await using house = makeRuns()
  await house.runs.load()
  house.runs.recover(house.perform)
  await house.runs.create(RUN, CREATED)
  expect(house.story).toEqual(['written run-created', 'performed run-session'])
  expect(house.performed[0]?.key).toBe(KEY)
})

test('an event that cannot be written changes nothing: no state, no effect, and the poster is told [runtime-write-first]', async () => {
  await using house = makeRuns()
  await house.runs.load()
  house.runs.recover(house.perform)
  const run = await house.runs.create(RUN, CREATED)
  const before = run.record
  house.fault.append = true
  const outcomes = await Promise.allSettled([run.post(told(1)), run.post({ type: 'cancel-requested' })])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(run.record).toBe(before)
  expect(house.performed).toHaveLength(1)
  house.fault.append = false
  await run.post(told(2))
  expect(house.events().map(({ seq, type }) => [seq, type])).toEqual([
    [1, 'run-created'],
    [2, 'told'],
  ])
})

test('events of many at once come in one order, without a gap, each decided on what the one before it made [runtime-one-order]', async () => {
  await using house = makeRuns()
  await house.runs.load()
  const run = await house.runs.create(RUN, CREATED)
  const waiting: number[] = []
  const posts = Array.from({ length: 200 }, (_, n) =>
    run.post(({ state }) => {
      waiting.push(state.waiting.length)
      return n < 90 ? told(n) : null
    }),
  )
  const stamped = await Promise.all(posts)
  expect(stamped.slice(0, 90).map(event => event?.seq)).toEqual(Array.from({ length: 90 }, (_, n) => n + 2))
  expect(stamped.slice(90).every(event => event === null)).toBe(true)
  expect(waiting.slice(0, 91)).toEqual(Array.from({ length: 91 }, (_, n) => n))
  expect(house.events().map(({ seq }) => seq)).toEqual(Array.from({ length: 91 }, (_, n) => n + 1))
  // Posted together, written together: one append, not ninety.
  expect(house.story.filter(line => line.startsWith('written'))).toHaveLength(2)
})

test('a posting that is refused hurts nobody else in the same batch [runtime-one-order]', async () => {
  await using house = makeRuns()
  await house.runs.load()
  const run = await house.runs.create(RUN, CREATED)
  const [first, refused, last] = await Promise.allSettled([
    run.post(told(1)),
    run.post(() => {
      throw new RehoboamError('already', 'no')
    }),
    run.post(told(2)),
  ])
  expect([first?.status, refused?.status, last?.status]).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(run.record.state.waiting).toHaveLength(2)
})

test('the outcome of an effect counts once: a second one says nothing new [runtime-replay]', async () => {
  await using house = makeRuns()
  await house.runs.load()
  const run = await house.runs.create(RUN, CREATED)
  const both = await Promise.all([run.post(ended(1)), run.post(ended(0))])
  expect(both.map(event => event?.seq ?? null)).toEqual([2, null])
  expect(await run.post({ ...ended(), effect: `${RUN}:7:0` } as never)).toBeNull()
  expect(house.events()).toHaveLength(2)
})

test('a clock that was set back does not make times run backwards [runtime-one-order]', async () => {
  await using house = makeRuns()
  await house.runs.load()
  const run = await house.runs.create(RUN, CREATED)
  house.moveTo(house.clock.now() - 3_600_000)
  await run.post(told(1))
  house.moveTo(house.clock.now() + 7_200_000)
  await run.post(told(2))
  const times = house.events().map(({ at }) => at)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(times[1]).toBe(times[0])
})

test('those who listen are told after each write, and get every event from any number on [runtime-one-order]', async () => {
  await using house = makeRuns({ snapshotEvery: 50 })
  await house.runs.load()
  const run = await house.runs.create(RUN, CREATED)
  let told200 = 0
  const leave = run.listen(() => {
    told200 += 1
  })
  for (let n = 0; n < 600; n++) await run.post({ type: 'journal-repaired', reason: `${n}`, aside: '', bytes: 0 })
  leave()
  expect(told200).toBe(600)
  for (const after of [0, 1, 88, 89, 90, 300, 600]) {
    const seqs = (await run.eventsAfter(after)).map(({ seq }) => seq)
    expect(seqs).toEqual(Array.from({ length: 601 - after }, (_, n) => after + 1 + n))
  }
  expect(await run.eventsAfter(601)).toEqual([])
})
