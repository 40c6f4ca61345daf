import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ownSessionSettings, thisProgram } from '../../src/contract/hook-settings.ts'
import { bash, say, turns } from '../../src/rehearsal/replies.ts'
import { openBench } from '../support/real-client.ts'
import { until } from '../support/until.ts'
import { receiver } from './receiver.ts'
import { recorder } from './recorder.ts'

const WORK = turns({}, bash('echo hi'), bash('touch made.txt'), say('All done.'))
const ALLOW = { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } } }
const TOKEN = { REHOBOAM_TOKEN: 'the-session.its-signature' }

test('a headless session of ours: the frequent events by HTTP with its token, a permission by command [hooks-real-headless]', async () => {
  await using bench = await openBench(WORK)
  await using door = await receiver()
  using heard = recorder()
  heard.answer(ALLOW)
  const own = { port: door.port, command: thisProgram(heard.program), driver: 'headless' } as const
  const file = join(bench.home.home, 'settings.json')
  writeFileSync(file, JSON.stringify(ownSessionSettings(own)))
  const ended = await bench.run({ args: ['--settings', file], env: TOKEN })
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  // The last of them may be on its way while the client ends.
  await until(() => door.events().includes('SessionEnd'), 'its last event')
  expect(door.events()).toEqual(['PostToolUse', 'PreToolUse', 'SessionEnd', 'Stop', 'UserPromptSubmit'])
  expect(door.received.filter(({ event }) => event === 'PostToolUse')).toHaveLength(2)
  for (const { token, path, pane } of door.received) {
    expect({ token, path, pane }).toEqual({ token: `Bearer ${TOKEN.REHOBOAM_TOKEN}`, path: '/v1/hook' })
  }
  expect(heard.heard()).toMatchObject([{ args: 'hook --hold', event: 'PermissionRequest', tool: 'Bash' }])
  const decided = '"permission_decision":{"decision":"accept","source":"hook"'
  expect(ended.raw.filter(line => /hook/i.test(line) && !line.includes(decided))).toEqual([])
})
