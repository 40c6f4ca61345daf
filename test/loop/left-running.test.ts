import { test } from 'vitest'
import { playDevServer } from './left-running-story.ts'

test('a dev server that an agent left running is ended after its grace, and the log names it: headless [loop-left-running]', () =>
  playDevServer('headless'))
