import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BODY_LIMIT } from '../../src/contract/body-limit.ts'
import { tmuxSocketOf } from '../../src/contract/home.ts'
import { spawned } from '../inbox/scene.ts'
import { paneOn } from '../support/real-pane.ts'
import { tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { historyOf } from './hook.ts'

test('a large event of a session of ours is taken, and its screen shows no error [hook-large-screen]', async () => {
  const file_path = 'large.txt'
  const edit = { file_path, old_string: 'first line', new_string: 'one line' }
  await using home = await tempHome({
    client: 'real',
    scenario: [
      { when: { turn: 0 }, reply: { text: 'I look.', tools: [{ name: 'Read', input: { file_path, limit: 1 } }] } },
      { when: { turn: 1 }, reply: { text: 'I edit.', tools: [{ name: 'Edit', input: edit }] } },
      { reply: { text: 'Fine and done.' } },
    ],
  })
  writeFileSync(join(home.project, file_path), `first line\n${`${'x'.repeat(99)}\n`.repeat(BODY_LIMIT / 50)}`)
  await spawned(home, 'go', '--driver', 'pane', '--permission-mode', 'acceptEdits')
  await until(
    async () => (await historyOf(home)).some(({ name, tool }) => name === 'PostToolUse' && tool === 'Edit'),
    'the edit to be told',
  )
  const pane = paneOn(tmuxSocketOf(home.home))
  expect(await pane.waitForText('Fine and done.')).not.toContain('hook error')
})
