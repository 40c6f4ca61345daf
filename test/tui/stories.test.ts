import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RunSummary } from '../../src/contract/run.ts'
import { held } from '../inbox/held.ts'
import { inboxOf, PERMISSION, QUESTION, spawned } from '../inbox/scene.ts'
import { git, gitProject } from '../loop/projects.ts'
import { begins, complete, plays, signals, simply, startQuest } from '../quest/story.ts'
import { untilRun, untilStatus, writeScript } from '../session/runs.ts'
import { tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { dashboardIn } from './terminal.ts'

const MUTE_MS = 30 * 60_000
const HANG = { when: { prompt: 'hang' }, reply: { text: 'Never said.', fault: { kind: 'hang' as const } } }

test('in a terminal: several marked and allowed at once, a reason, an option by number, always for this run, mute, freeze and thaw, copy, a paste of lines [tui-stories] [tui-marks] [tui-answers] [tui-copies] [tui-typing]', async () => {
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
  const permitted = await spawned(home, 'perm')
  await terminal.sees(/▶.*permission.*touch made\.txt/)
  await terminal.keys('Y')
  await untilStatus(home, permitted, 'complete')
  expect(await home.daemon.ask({ path: '/v1/rules' })).toMatchObject([
    { effect: 'allow', tool: 'Bash', pattern: 'touch made.txt', scope: { kind: 'run', run: permitted } },
  ])

  const working = [await spawned(home, 'hang a'), await spawned(home, 'hang b')]
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

test('in a terminal: a plan is edited and approved, a step that asks is tried again, and what came of the quest is merged [tui-stories] [tui-deeds]', async () => {
  const asks = signals({ signal: 'needs-user-input', question: 'Blue or green?', context: '' }, 'one')
  await using home = await tempHome({
    scenario: [
      ...begins([{ id: 'one' }, { id: 'two', dependsOn: ['one'] }, { id: 'side' }]),
      ...plays('codeweaver', 'one', 1, asks),
      ...plays('codeweaver', 'side', null, complete('side')),
      ...simply(['one', 'two']),
    ],
  })
  gitProject(home.project)
  const run = await startQuest(home, { approvePlan: true, ward: [] })
  const editor = writeScript(join(home.root, 'editor'), `sed -i '/^## side/,$d' "$1"`)
  await using terminal = await dashboardIn(home, { env: { EDITOR: editor } })
  await terminal.open()
  await terminal.keys('r')
  await terminal.sees(run)
  await terminal.keys('Enter')
  await terminal.sees('y approve the plan')
  expect(await terminal.screen()).toMatch(/one.*─.*two/)
  await terminal.keys('E')
  await terminal.sees('− side')
  await terminal.keys('y')
  await terminal.sees(/\? one/)
  // The chosen one is the last; up to the one that asks.
  await terminal.keys('Home', 'j', 'j')
  await terminal.sees(/The part one {2}/)
  await terminal.keys('R')
  await untilStatus(home, run, 'complete')
  await terminal.keys('M')
  await terminal.sees(`merge run ${run} into the branch that is checked out?`)
  const before = git(home.project, 'rev-parse', 'HEAD')
  await terminal.keys('y')
  await until(() => git(home.project, 'rev-parse', 'HEAD') !== before, 'the branch to move')
  expect(git(home.project, 'diff', '--name-only', before.trim(), 'HEAD')).toBe('one.txt\ntwo.txt\n')
})

test('in a terminal: a task is added to a pool, taken, given back and said to be done [tui-stories] [tui-deeds]', async () => {
  await using home = await tempHome({ scenario: [{ when: { role: 'planner' }, reply: HANG.reply }] })
  gitProject(home.project)
  await using terminal = await dashboardIn(home)
  await terminal.open()
  await terminal.keys('s')
  await terminal.sees('iterations')
  await terminal.keys('BTab', 'BTab', 'p')
  await terminal.sees('workers')
  await terminal.keys('Tab', 'Tab')
  await terminal.type('Write all the files')
  await terminal.sees('no checks: what is claimed stays unproven')
  await terminal.keys('C-s')
  await terminal.sees(/── pool {2}\w{8}/)
  const [{ id } = { id: '' }] = await home.daemon.ask<RunSummary[]>({ path: '/v1/runs' })
  await terminal.keys('A')
  await terminal.sees(`a task for ${id}:`)
  await terminal.type('a file of prices')
  await terminal.keys('Enter')
  await terminal.sees(/▶ \S+ +pending .*a file of prices/)
  await terminal.keys('C')
  await terminal.sees(/▶ \S+ +claimed +person .*a file of prices/)
  await terminal.keys('C')
  await terminal.sees(/▶ \S+ +pending .*a file of prices/)
  await terminal.keys('C')
  await terminal.sees(/▶ \S+ +claimed +person/)
  await terminal.keys('f')
  await terminal.sees('done?')
  await terminal.keys('y')
  await untilRun(home, id, ({ pool }) => pool?.tasks[0]?.state === 'done', 'the task to be done')
  await terminal.sees(/▶ \S+ +done /)
})
