import { expect, test } from 'vitest'
import type { Run } from '../../src/daemon/runtime/live-run.ts'
import { Accounts } from '../../src/daemon/sessions/accounts.ts'
import { Places } from '../../src/daemon/sessions/places.ts'

// A clock that stands still: whoever goes on was woken.
const clock = { now: () => 1_000, at: () => () => {} }
const never = new AbortController().signal

/** Of a run nothing counts here but its account, its age, and what it waits for. */
function loop(id: string, { waitsUntil = null as number | null, createdAt = 1, account = 'ours' } = {}): Run {
  const doing = waitsUntil === null ? { is: 'running' } : { is: 'waiting', until: waitsUntil }
  return { id, record: { state: { kind: 'loop', environment: { account }, createdAt, doing } } } as unknown as Run
}

test('a limit holds while a run waits for it, and whoever was kept from starting goes on when none does [account-limit]', async () => {
  const accounts = new Accounts(clock)
  const places = new Places(clock, { max: 9, startsPerSecond: 50 })
  accounts.look(loop('a', { waitsUntil: 9_000 }))
  accounts.look(loop('b', { waitsUntil: 5_000 }))
  expect([accounts.limitOf(loop('c')), accounts.limitOf(loop('d', { account: 'theirs' }))]).toEqual([9_000, null])
  const taking = accounts.takePlace(loop('c'), places, never)
  accounts.look(loop('a'))
  expect([accounts.limitOf(loop('c')), places.taken]).toEqual([5_000, 0])
  accounts.look(loop('b'))
  await taking
  expect([accounts.limitOf(loop('c')), places.taken]).toEqual([null, 1])
})

test('a run that a limit kept from starting goes on when the limit has passed, and not before [account-limit]', async () => {
  let now = 1_000
  const alarms: { atMs: number; ring: () => void }[] = []
  const at = (atMs: number, ring: () => void) => {
    alarms.push({ atMs, ring })
    return () => {}
  }
  const accounts = new Accounts({ now: () => now, at })
  const places = new Places(clock, { max: 9, startsPerSecond: 50 })
  accounts.look(loop('a', { waitsUntil: 9_000 }))
  const taking = accounts.takePlace(loop('c'), places, never)
  expect([alarms.map(({ atMs }) => atMs), places.taken]).toEqual([[9_000], 0])
  // An alarm that rings too early starts nobody.
  now = 8_999
  alarms[0]!.ring()
  await Promise.resolve()
  expect([alarms.length, places.taken]).toEqual([2, 0])
  now = 9_000
  alarms[1]!.ring()
  await taking
  expect([accounts.limitOf(loop('c')), places.taken]).toEqual([null, 1])
})

test('whoever shall not start any more stops waiting for a limit [account-limit]', async () => {
  const accounts = new Accounts(clock)
  const ending = new AbortController()
  accounts.look(loop('a', { waitsUntil: 9_000 }))
  const taking = accounts.takePlace(loop('c'), new Places(clock, { max: 9, startsPerSecond: 50 }), ending.signal)
  ending.abort(new Error('ended'))
  await expect(taking).rejects.toThrow('ended')
})

test('without a limit a run stands in the queue at once, so that an older one is before it [sessions-max]', async () => {
  const accounts = new Accounts(clock)
  const places = new Places(clock, { max: 1, startsPerSecond: 50 })
  const got: string[] = []
  const [youngs, olds] = [places.hold(), places.hold()]
  void accounts.takePlace(loop('young', { createdAt: 2 }), places, never).then(() => got.push('young'))
  youngs()
  const old = accounts.takePlace(loop('old', { createdAt: 1 }), places, never).then(() => got.push('old'))
  olds()
  await old
  expect(got).toEqual(['old'])
})
