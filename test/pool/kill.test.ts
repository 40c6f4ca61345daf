import { expect, test } from 'vitest'
import { killedPool } from './kill-story.ts'

// More of them with `npm run soak -- pools`.
test.each([1, 2, 3, 4, 5])(
  'a pool whose daemon is killed again and again merges every task once and leaves nothing behind: seed %i [pool-killed]',
  async seed => {
    expect(await killedPool(seed)).toEqual([])
  },
  600_000,
)
