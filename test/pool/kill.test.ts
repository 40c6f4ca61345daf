import { expect, test } from 'vitest'
import { PLAYS_ALL } from '../support/plays-all.ts'
import { killedPool } from './kill-story.ts'

const SEEDS = Array.from({ length: PLAYS_ALL ? 15 : 2 }, (_, n) => n + 1)

// More of them with `npm run soak -- pools`.
test.concurrent.each(SEEDS)(
  'a pool whose daemon is killed again and again merges every task once and leaves nothing behind: seed %i [pool-killed]',
  async seed => {
    expect(await killedPool(seed)).toEqual([])
  },
  900_000,
)
