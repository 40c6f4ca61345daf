import { expect, test } from 'vitest'
import { PLAYS_ALL } from '../support/plays-all.ts'
import { killedQuest, SMALL } from './kill-story.ts'

const SEEDS = Array.from({ length: PLAYS_ALL ? SMALL : 2 }, (_, n) => n + 1)

// More of them, over larger graphs, with `npm run soak -- quests`.
test.concurrent.each(SEEDS)(
  'a quest whose daemon is killed again and again merges every step once and leaves nothing behind: seed %i [quest-killed]',
  async seed => {
    expect(await killedQuest(seed)).toEqual([])
  },
  1_500_000,
)
