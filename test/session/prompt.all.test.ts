import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say } from '../../src/rehearsal/replies.ts'
import { tempHome } from '../support/temp-home.ts'
import { linesOf, questions, spawnRun, untilStatus } from './runs.ts'

test('a prompt that begins with a slash carries the line last, and the real client expands its command [session-prompt-line]', async () => {
  await using home = await tempHome({ client: 'real', scenario: [{ reply: say('Done.') }] })
  mkdirSync(join(home.project, '.claude', 'commands'), { recursive: true })
  writeFileSync(join(home.project, '.claude', 'commands', 'greet.md'), 'Say a kind word about: $ARGUMENTS')
  const run = await spawnRun(home, '/greet the world')
  await untilStatus(home, run, 'complete')
  expect(linesOf(home.home, 'runs', run, 'turns', '1', 'prompt.md')).toEqual([
    '/greet the world',
    `[rehoboam run=${run} role=session attempt=1]`,
  ])
  expect(questions(home)[0]?.prompt).toContain('Say a kind word about: the world')
  expect(questions(home)[0]?.line).toEqual({ run, role: 'session', attempt: '1' })
})
