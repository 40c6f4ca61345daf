import { expect, test } from 'vitest'
import { held } from '../inbox/held.ts'
import { inboxOf, PERMISSION, QUESTION, runIn } from '../inbox/scene.ts'
import { untilStatus } from '../session/runs.ts'
import { tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { dashboardIn } from './terminal.ts'

const MUTE_MS = 30 * 60_000
const HANG = { when: { prompt: 'hang' }, reply: { text: 'Never said.', fault: { kind: 'hang' as const } } }

test('in a terminal: several marked and allowed at once, a reason, an option by number, always for this run, mute, freeze and thaw, copy, a paste of lines [tui-stories] [tui-answers] [tui-deeds] [tui-spawn-checked]', async () => {
  await using home = await tempHome({ scenario: [HANG, ...PERMISSION] })
  await home.daemon.ready()
  const waiting = ['echo one', 'echo two', 'echo three'].map(command => held(home, command))
  await until(async () => (await inboxOf(home)).length === 3, 'three questions')
  await using terminal = await dashboardIn(home)
  await terminal.tmux('set-option', '-s', 'set-clipboard', 'on')
  await terminal.open()
  await terminal.keys('i')
  await terminal.sees('inbox  3 open')
  const [, , third] = await inboxOf(home)
  await terminal.keys('Space', 'Space')
  await terminal.sees('inbox  3 open, 2 marked')
  await terminal.keys('y')
  await terminal.sees('inbox  1 open')

  // The command that does the same, as the terminal keeps what is copied.
  await terminal.keys('c')
  await until(
    async () =>
      (await terminal.tmux('show-buffer').catch(() => '')).includes(`rehoboam allow ${third!.id.slice(0, 8)}`),
    'the command in the terminal',
  )
  await terminal.keys('N')
  await terminal.type('not today')
  await terminal.keys('Enter')
  await terminal.sees('Nothing waits for you.')
  const told = (await Promise.all(waiting)).map(answer => JSON.parse(answer).hookSpecificOutput.decision)
  expect(told.map(({ behavior }) => behavior).toSorted()).toEqual(['allow', 'allow', 'deny'])
  expect(told.find(({ behavior }) => behavior === 'deny').message).toContain('not today')

  const mutedFrom = Date.now()
  await terminal.keys('m')
  await terminal.sees(/inbox {2}0 open, muted for \d+ m/)
  const { mutedUntil } = await home.daemon.ask<{ mutedUntil: string }>({ path: '/v1/inbox/state' })
  const mutedFor = Date.parse(mutedUntil) - mutedFrom
  expect(mutedFor).toBeGreaterThanOrEqual(MUTE_MS)
  expect(mutedFor).toBeLessThanOrEqual(MUTE_MS + Date.now() - mutedFrom)
  await terminal.keys('m')
  await terminal.sees(/inbox {2}0 open(?!, muted)/)

  const asks = held(home, { tool_name: 'AskUserQuestion', tool_input: QUESTION[0]!.reply.tools![0]!.input })
  await terminal.sees(/1 Apples\s+2 Pears/)
  await terminal.keys('2')
  expect(await asks).toContain('Pears')
  const { run: permitted } = await runIn(home, '.', 'perm')
  await terminal.sees(/▶.*permission.*touch made\.txt/)
  await terminal.keys('Y')
  await untilStatus(home, permitted, 'complete')
  expect(await home.daemon.ask({ path: '/v1/rules' })).toMatchObject([
    { effect: 'allow', tool: 'Bash', pattern: 'touch made.txt', scope: { kind: 'run', run: permitted } },
  ])

  const working = [(await runIn(home, '.', 'hang a')).run, (await runIn(home, '.', 'hang b')).run]
  // One that has not asked yet has nothing to be resumed, and would ask the same again.
  for (const name of ['hang a', 'hang b']) await home.model.waitFor(({ prompt }) => prompt.includes(name))
  await terminal.keys('r')
  await terminal.sees('runs  2 live')
  await terminal.keys('F')
  await terminal.sees('freeze all 2 runs that work?')
  await terminal.keys('y')
  for (const run of working) await untilStatus(home, run, 'paused')
  await terminal.sees(/ paused .*\n.* paused /)
  await terminal.keys('F')
  await terminal.sees('let everything that was frozen go on?')
  await terminal.keys('y')
  // What goes on is told something else than before, and ends.
  for (const run of working) await untilStatus(home, run, 'complete')

  // A paste is text, over its lines, also when it holds letters that are keys.
  await terminal.keys('s')
  await terminal.sees('start ')
  await terminal.tmux('set-buffer', 'first line\nquit: qX\nthird line')
  await terminal.tmux('paste-buffer', '-p')
  await terminal.sees(/task +first line\s+quit: qX\s+third line/)
  await terminal.keys('Escape')
  await terminal.sees('── runs')
})
