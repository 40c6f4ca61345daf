import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ownSessionSettings, thisProgram } from '../../src/contract/hook-settings.ts'
import { bash, say, turns } from '../../src/rehearsal/replies.ts'
import { openBench } from '../support/real-client.ts'
import { atRest, typed } from '../support/real-pane.ts'
import { until } from '../support/until.ts'
import { receiver } from './receiver.ts'
import { recorder } from './recorder.ts'

const WORK = turns({}, bash('echo hi'), bash('touch made.txt'), say('All done.'))
const ALLOW = { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } } }
const TOKEN = { REHOBOAM_TOKEN: 'the-session.its-signature' }

test('a pane of ours: start and end by command, the rest by HTTP with its pane, and a quiet screen [hooks-real-pane]', async () => {
  await using bench = await openBench(WORK)
  await using door = await receiver()
  using heard = recorder()
  heard.answer(ALLOW)
  const own = { port: door.port, command: thisProgram(heard.program), driver: 'pane', tmux: 'server' } as const
  const file = join(bench.home.home, 'settings.json')
  writeFileSync(file, JSON.stringify(ownSessionSettings(own)))
  const args = ['--settings', file, '--permission-mode', 'default']
  const pane = await bench.pane({ prompt: 'Do it.', args, env: TOKEN })
  await pane.waitForText('All done.')
  await until(() => heard.events().includes('Stop'), 'the end of the turn')
  const screen = await atRest(pane)
  expect(screen).toContain('Allowed by PermissionRequest hook')
  expect(screen.replace('Allowed by PermissionRequest hook', '')).not.toMatch(/hook/i)
  await typed(pane, '/exit')
  await until(() => heard.events().includes('SessionEnd'), 'the end of the session')
  expect(heard.events()).toEqual(['PermissionRequest', 'SessionEnd', 'SessionStart', 'Stop'])
  expect(door.events()).toEqual(['PostToolUse', 'PreToolUse', 'UserPromptSubmit'])
  expect(new Set(door.received.map(({ token, pane }) => `${token} ${pane}`))).toEqual(
    new Set([`Bearer ${TOKEN.REHOBOAM_TOKEN} server:%0`]),
  )
})

test('a proxy of the user takes the HTTP hooks away unless NO_PROXY names 127.0.0.1 [hooks-real-proxy]', async () => {
  await using bench = await openBench(WORK)
  await using door = await receiver()
  using heard = recorder()
  const own = { port: door.port, command: thisProgram(heard.program), driver: 'headless' } as const
  const file = join(bench.home.home, 'settings.json')
  writeFileSync(file, JSON.stringify(ownSessionSettings(own)))
  const proxied = { ...TOKEN, HTTP_PROXY: 'http://127.0.0.1:1', HTTPS_PROXY: 'http://127.0.0.1:1' }
  await bench.run({ args: ['--settings', file], env: { ...proxied, NO_PROXY: `127.0.0.1:${bench.model.port}` } })
  expect(door.received).toEqual([])
  const ended = await bench.run({ args: ['--settings', file], env: { ...proxied, NO_PROXY: '127.0.0.1' } })
  expect(door.events()).toContain('Stop')
  expect(ended.stderr).toBe('')
})
