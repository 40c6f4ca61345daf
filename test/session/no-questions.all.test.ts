import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PERMISSION } from '../inbox/scene.ts'
import { tempHome } from '../support/temp-home.ts'
import { untilStatus } from './runs.ts'

const ASKS = ['spawn', '--prompt', 'perm please', '--permission-mode', 'manual']

test('--no-questions does it without waiting, in a pane too, and a rule still answers [no-questions]', async () => {
  await using home = await tempHome({ client: 'real', scenario: PERMISSION })
  const run = (await home.rehoboam([...ASKS, '--no-questions', '--driver', 'pane'])).out.trim()
  await untilStatus(home, run, 'paused')
  expect((await home.rehoboam(['rules', 'add', 'allow', 'Bash(touch made.txt)'])).code).toBe(0)
  expect((await home.rehoboam([...ASKS, '--wait'])).code).toBe(0)
  expect(existsSync(join(home.project, 'made.txt'))).toBe(true)
})
