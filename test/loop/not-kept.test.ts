import { expect, test } from 'vitest'
import { closeAtLast } from '../../src/daemon/loops/close.ts'
import type { LoopOutside } from '../../src/daemon/loops/loop-outside.ts'
import type { Run } from '../../src/daemon/runtime/live-run.ts'
import { eventTeller } from '../../src/view/run-words.ts'
import { goOn, type LoopRecord, playLoop, post } from './loop-world.ts'

/** A disk that is full: nothing can be read or kept. */
async function close(record: LoopRecord, said: string[]) {
  const [key, effect] = Object.entries(record.pending).find(([, { do: deed }]) => deed === 'close-iteration')!
  const textsOf = () => {
    throw new Error('no space left on device')
  }
  const outside = { stopping: new AbortController().signal, log: (line: string) => said.push(line), textsOf }
  const run = { id: record.state.id, record } as Run
  if (effect.do !== 'close-iteration') throw new Error('not to be closed')
  return closeAtLast(outside as unknown as LoopOutside, run, key, effect)
}

test('a loop that ends does so also when its tree cannot be kept, which is tried again and said; another one is not given up [loop-end-kept]', async () => {
  const working = playLoop({}, [{}], { steps: 3 })
  const cancelled = goOn(post(working, { type: 'cancel-requested' }).record, [{}], { steps: 2 })
  const said: string[] = []
  const event = await close(cancelled, said)
  expect(said).toHaveLength(3)
  const { record } = post(cancelled, event)
  expect([record.state.status, record.state.cause]).toEqual(['cancelled', 'cancelled'])
  expect(eventTeller()({ ...event, seq: 1, at: 0 })).toContain('could not be kept')
  const over = goOn(working, [{}], { steps: 2 })
  await expect(close(over, said)).rejects.toThrow('no space left')
})
