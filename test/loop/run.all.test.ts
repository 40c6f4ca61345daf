import { test } from 'vitest'
import { playLines } from './lines-story.ts'

test(
  'twelve iterations of the real client in a pane: each session is fresh, the pane stays, and only the green one completes [loop-runs] [loop-files]',
  () => playLines(12, 'pane', 'real'),
  900_000,
)
