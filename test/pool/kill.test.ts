import { expect, test } from 'vitest'
import { killedPool } from './kill-story.ts'

test.each([1, 2, 3])(
  'a pool whose daemon is killed again and again merges every task once and leaves nothing behind: seed %i [pool-killed]',
  async seed => {
    expect(await killedPool(seed)).toEqual([])
  },
  600_000,
)
