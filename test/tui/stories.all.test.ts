import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RunSummary } from '../../src/contract/run.ts'
import { git, gitProject } from '../loop/projects.ts'
import { begins, complete, plays, signals, simply, startQuest } from '../quest/story.ts'
import { untilRun, untilStatus, writeScript } from '../session/runs.ts'
import { tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { dashboardIn } from './terminal.ts'

const HANG = { text: 'Never said.', fault: { kind: 'hang' as const } }

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
  await using home = await tempHome({ scenario: [{ when: { role: 'planner' }, reply: HANG }] })
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
