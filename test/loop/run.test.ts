import { test } from 'vitest'
import { PLAYS_ALL } from '../support/plays-all.ts'
import { playLines } from './lines-story.ts'

const COUNT = PLAYS_ALL ? 12 : 5

test(
  `${COUNT} iterations, headless: each session is fresh, the place stays, and only the green one completes [loop-runs] [loop-files]`,
  () => playLines(COUNT, 'headless', 'either'),
  900_000,
)
