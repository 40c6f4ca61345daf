import { expect, test } from 'vitest'
import type { RunEvent } from '../../src/contract/event.ts'
import { sessionOf } from '../../src/core/run/run-state.ts'
import type { ParentOutside } from '../../src/daemon/parent/parent-outside.ts'
import { tellChildren } from '../../src/daemon/parent/tell-children.ts'
import { Run } from '../../src/daemon/runtime/live-run.ts'
import { environment, RUN } from '../core/run-world.ts'
import { created } from '../core/session-world.ts'

test('who is resumed while that it shall pause is not even written yet goes on after its pause [quest-by-hand]', async () => {
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
  const outside = { runs: { get: () => child }, stopping: new AbortController().signal } as unknown as ParentOutside
  const tell = (what: 'pause' | 'resume') =>
    tellChildren(outside, parent as unknown as Run, what, { do: 'tell-children', what, children: ['s1'] })

  // The disk is slow: both stand in the mailbox before the first is written.
  const written = Promise.withResolvers<void>()
  disk.append = () => written.promise
  const paused = tell('pause')
  const resumed = tell('resume')
  written.resolve()
  await paused
  expect(turn().ending).toBe('pause')
  const ended: RunEvent = {
    type: 'session-ended',
    effect: turn().effect,
    turn: 1,
    exit: { how: 'exited', code: 143 },
    outputBytes: 0,
  }
  await child.post(ended)
  await resumed
  expect(child.record.state).toMatchObject({ status: 'active', turn: { n: 2, ending: null } })
})
