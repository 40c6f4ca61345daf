import { expect, test } from 'vitest'
import { withHooks } from '../../src/config/hook-settings/install.ts'
import { ANY_PROGRAM, thisProgram } from '../../src/contract/hook-settings.ts'
import { bash, rateLimited, say, tool, turns, use } from '../../src/rehearsal/replies.ts'
import { openBench } from '../support/real-client.ts'
import { atRest, typed } from '../support/real-pane.ts'
import { until } from '../support/until.ts'
import { recorder, writeSettings } from './recorder.ts'
import { endedOnceHeard, LAST, saidOfHooks } from './sessions.ts'

test('a subagent is reported when it starts and when it ends [init-real-headless]', async () => {
  const agent = { description: 'part', prompt: 'Do the small part.', subagent_type: 'general-purpose' }
  await using bench = await openBench([
    { when: { prompt: 'small part' }, reply: say('The part is done.') },
    ...turns({}, use(tool('Agent', agent)), LAST),
    { reply: say('All done.') },
  ])
  using heard = recorder()
  writeSettings(bench.home.cwd, 'settings.local.json', withHooks({ directories: 0 }, thisProgram(heard.program)))
  const ended = await endedOnceHeard(bench, heard, ['SubagentStart', 'SubagentStop'])
  expect(heard.events()).toEqual(expect.arrayContaining(['SubagentStart', 'SubagentStop', 'Stop', 'SessionEnd']))
  expect(saidOfHooks(ended)).toEqual([])
})

test('in a pane a question, a compaction, a limit and the end are reported [init-real-pane]', async () => {
  await using bench = await openBench([
    { when: { prompt: 'too much' }, reply: rateLimited() },
    ...turns({ prompt: 'Ask me' }, use(tool('AskUserQuestion', { questions: QUESTIONS }))),
    { reply: say('So be it.') },
  ])
  using heard = recorder()
  const updatedInput = { questions: QUESTIONS, answers: { 'Which colour?': 'Blue' } }
  const decision = { behavior: 'allow', updatedInput }
  heard.answer({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } })
  writeSettings(bench.home.cwd, 'settings.local.json', withHooks({ text: '{}' }, thisProgram(heard.program)))
  const pane = await bench.pane({ prompt: 'Ask me.', args: ['--permission-mode', 'default'] })
  const reported = (...events: string[]) =>
    until(() => events.every(event => heard.events().includes(event)), `${events}`)

  await reported('SessionStart', 'UserPromptSubmit', 'PostToolUse', 'Stop')
  await pane.waitForText('Which colour? → Blue')
  // That somebody answered from outside is the one thing that it says, and should.
  const saidItself = /Allowed by PermissionRequest hook|(Pre|Post)Compact \[[^\]]*\] completed successfully/g
  expect((await atRest(pane)).replace(saidItself, '')).not.toMatch(/hook/i)
  const held = heard.heard().filter(({ args }) => args === 'hook --hold --from init-1')
  expect(held).toMatchObject([{ event: 'PermissionRequest', tool: 'AskUserQuestion' }])

  await typed(pane, '/compact')
  await reported('PreCompact', 'PostCompact')
  // The client names every hook of a compaction when it is over, whatever the hook does; of the others it says nothing.
  const screen = await pane.waitForText(/PostCompact \[[^\]]*\] completed successfully/)
  expect(screen.replace(saidItself, '')).not.toMatch(/hook/i)

  await typed(pane, 'This is too much')
  await reported('StopFailure')
  await typed(pane, '/exit')
  await reported('SessionEnd')
})

const QUESTIONS = [
  {
    question: 'Which colour?',
    header: 'Colour',
    multiSelect: false,
    options: [
      { label: 'Red', description: 'warm' },
      { label: 'Blue', description: 'cold' },
    ],
  },
]

test('in a pane too, a shared file says nothing where rehoboam is not installed [init-silent]', async () => {
  await using bench = await openBench(turns({}, bash('echo hi'), bash('ls missing'), say('All done.')))
  writeSettings(bench.home.cwd, 'settings.json', withHooks({ directories: 1 }, ANY_PROGRAM))
  const pane = await bench.pane({ prompt: 'Do it.', args: ['--permission-mode', 'default'], env: { PATH: '/usr/bin:/bin' } }) // biome-ignore format: one call
  await pane.waitForText('All done.')
  expect(await atRest(pane)).not.toMatch(/hook|not found|rehoboam/i)
})
