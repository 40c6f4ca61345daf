import { test } from 'vitest'
import { playKilled, type Victim } from './killed-story.ts'

test.each<[Victim[], 'goes on' | 'is resumed']>([
  [['supervisor', 'daemon'], 'goes on'],
  [['supervisor', 'daemon', 'client'], 'is resumed'],
])(
  'a loop (headless) whose %s are killed in the middle of an iteration: its session %s, and the loop ends as if nothing had happened [loop-killed]',
  (victims, then) => playKilled('headless', victims, then),
)
