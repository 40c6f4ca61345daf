import { expect, test } from 'vitest'
import { playMergeKilled } from './merge-killed.ts'

test('killed between any two git steps and done again, it is merged once and nothing is lost or left behind [merge-once]', async () => {
  // Every third: all of them take a minute, and neighbours mostly differ by a step that only looks.
  let lifetime = 1
  while (await playMergeKilled(lifetime)) lifetime += 3
  expect(lifetime).toBeGreaterThan(15)
}, 400_000)
