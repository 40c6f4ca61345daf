import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withHooks } from '../../src/config/hook-settings/install.ts'
import { ANY_PROGRAM, thisProgram } from '../../src/contract/hook-settings.ts'
import { say, turns } from '../../src/rehearsal/replies.ts'
import { either, openBench } from '../support/real-client.ts'
import { recorder, writeSettings } from './recorder.ts'
import { CALLS, endedOnceHeard, LAST, saidOfHooks } from './sessions.ts'

test("a user's own headless session reports what it does, and shows nothing of it [init-real-headless]", async () => {
  await using bench = await openBench(turns({}, ...CALLS, LAST), either)
  using heard = recorder()
  writeSettings(bench.home.cwd, 'settings.local.json', withHooks({ text: '{}' }, thisProgram(heard.program)))
  const events = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure']
  const ended = await endedOnceHeard(bench, heard, events)
  // What comes last is not async: it is there when the client has gone.
  const all = ['PermissionRequest', 'PostToolUse', 'PostToolUseFailure', 'PreToolUse', 'SessionEnd', 'SessionStart', 'Stop', 'UserPromptSubmit'] // biome-ignore format: one list
  expect(heard.events()).toEqual(all)
  const held = heard.heard().filter(({ args }) => args === 'hook --hold --from init-1')
  expect(held.map(({ event }) => event)).toEqual(['PermissionRequest'])
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  expect(saidOfHooks(ended)).toEqual([])
})

test('a shared file reports for those who have rehoboam, and is silent for all others [init-silent] [init-shared-works]', async () => {
  await using bench = await openBench(turns({}, ...CALLS, LAST), either)
  using heard = recorder()
  writeSettings(bench.home.cwd, 'settings.json', withHooks({ directories: 1 }, ANY_PROGRAM))
  const without = await endedOnceHeard(bench, heard, [], { env: { PATH: '/usr/bin:/bin' } })
  expect(without).toMatchObject({ code: 0, stderr: '' })
  expect(saidOfHooks(without)).toEqual([])
  expect(heard.heard()).toEqual([])
  const env = { PATH: `${heard.directory}:/usr/bin:/bin` }
  await endedOnceHeard(bench, heard, ['PreToolUse', 'PermissionRequest'], { env })
  expect(heard.events()).toEqual(expect.arrayContaining(['PreToolUse', 'PermissionRequest', 'Stop', 'SessionEnd']))
})

test('hooks whose program has gone leave the session as it would be without them [init-silent]', async () => {
  await using bench = await openBench(turns({}, ...CALLS, say('All done.')), either)
  const gone = { node: join(bench.home.home, 'gone'), script: join(bench.home.home, 'gone.cjs') }
  expect(existsSync(gone.node)).toBe(false)
  writeSettings(bench.home.cwd, 'settings.local.json', withHooks({ text: '{}' }, thisProgram(gone)))
  const ended = await bench.run({ args: ['--output-format', 'text'] })
  expect(ended).toMatchObject({ code: 0, stderr: '', raw: ['All done.'] })
})
