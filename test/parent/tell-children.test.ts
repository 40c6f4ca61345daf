import { expect, test } from 'vitest'
import type { RunEvent } from '../../src/contract/event.ts'
import { sessionOf } from '../../src/core/run/run-state.ts'
import type { ParentOutside } from '../../src/daemon/parent/parent-outside.ts'
import { tellChildren } from '../../src/daemon/parent/tell-children.ts'
import { Run } from '../../src/daemon/runtime/live-run.ts'
import { environment, RUN, text } from '../core/run-world.ts'
import { created } from '../core/session-world.ts'

/** A session of a quest that is at work, on a disk that tests can slow down. */
async function sessionAtWork() {
  const disk = {
    seq: 0,
    append: async () => {},
    read: async () => [],
    saveSnapshot: async () => {},
    close: async () => {},
  }
  const child = new Run({
    id: `${RUN}.s1`,
    journal: disk,
    clock: { now: () => 1_000, at: () => () => {} },
    snapshotEvery: 1_000,
    record: null,
    recent: [],
    snapshotSeq: 0,
    perform: () => {},
  })
  const turn = () => sessionOf(child.record.state)!.turn
  await child.post(created())
  await child.post({ type: 'session-started', effect: turn().effect, turn: 1, pid: 5, without: [] })
  const parent = { id: RUN, record: { state: { kind: 'quest', status: 'active', isPaused: false, environment } } }
  const textsOf = () => ({ get: async (ref: string) => ref, put: async (words: string) => words })
  const runs = { get: () => child }
  const outside = { runs, textsOf, stopping: new AbortController().signal } as unknown as ParentOutside
  const tell = (what: 'pause' | 'resume' | 'tell', message: { text?: string; of?: number } = {}) =>
    tellChildren(outside, parent as unknown as Run, what, { do: 'tell-children', what, children: ['s1'], ...message })
  const ends = (): RunEvent => ({
    type: 'session-ended',
    effect: turn().effect,
    turn: 1,
    exit: { how: 'exited', code: 143 },
    outputBytes: 0,
  })
  return { disk, child, turn, tell, ends }
}

test('who is resumed while that it shall pause is not even written yet goes on after its pause [quest-by-hand]', async () => {
  const { disk, child, turn, tell, ends } = await sessionAtWork()
  // The disk is slow: both stand in the mailbox before the first is written.
  const written = Promise.withResolvers<void>()
  disk.append = () => written.promise
  const paused = tell('pause')
  const resumed = tell('resume')
  written.resolve()
  await paused
  expect(turn().ending).toBe('pause')
  await child.post(ends())
  await resumed
  expect(child.record.state).toMatchObject({ status: 'active', turn: { n: 2, ending: null } })
})

test.for(['tell', 'resume'] as const)(
  'what a person says with %s to a quest while a session of it is about to go on is kept for that session [quest-tell]',
  async what => {
    const { child, tell, ends } = await sessionAtWork()
    await child.post({ type: 'cancel-requested' })
    await child.post(ends())
    expect(child.record.state.status).toBe('cancelled')
    await tell(what, { text: text(7), of: 40 })
    expect(child.record.state).toMatchObject({ status: 'cancelled', waiting: [text(7)] })
  },
)
