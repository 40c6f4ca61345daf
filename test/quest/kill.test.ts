import { expect, test } from 'vitest'
import { killedQuest } from './kill-story.ts'

// More of them with `npm run soak -- quests`.
test.concurrent.each([1, 2, 3])(
  'a quest whose daemon is killed again and again merges every step once and leaves nothing behind: seed %i [quest-killed]',
  async seed => {
    expect(await killedQuest(seed)).toEqual([])
  },
  900_000,
)
