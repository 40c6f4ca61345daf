import { test } from 'vitest'
import { playKilled, type Victim } from './killed-story.ts'

test.each<[Victim[], 'goes on' | 'is resumed']>([
  [['supervisor', 'daemon'], 'goes on'],
  [['client'], 'is resumed'],
  [['tmux server'], 'is resumed'],
  [['supervisor', 'daemon', 'tmux server', 'client'], 'is resumed'],
])(
  'a loop (pane) whose %s are killed in the middle of an iteration: its session %s, and the loop ends as if nothing had happened [loop-killed]',
  (victims, then) => playKilled('pane', victims, then),
)
