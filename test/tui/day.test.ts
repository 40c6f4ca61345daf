import { test } from 'vitest'
import type { RunSummary } from '../../src/contract/run.ts'
import { bash, say, turns } from '../../src/rehearsal/replies.ts'
import { git, gitProject } from '../loop/projects.ts'
import { loggedInClient, untilRun, untilStatus } from '../session/runs.ts'
import { tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { dashboardIn } from './terminal.ts'

const ASKED = 'echo hello > note.txt'
const SCENARIO = [
  ...turns({ role: 'chaoswhisperer' }, say('Never said.', { fault: { kind: 'hang' as const } })),
  ...turns({ iteration: 1 }, bash(ASKED), say('A first step is there, more to do.')),
  { when: { prompt: 'Look around' }, reply: say('Never heard.', { fault: { kind: 'hang' as const } }) },
  ...turns({ iteration: 2 }, say('Never heard.', { fault: { kind: 'hang' as const, name: 'two' } })),
]

test('the whole day with the keyboard: spawn, watch, answer, look at the diff, pause, go on, cancel, search, quit, come back, jump to a pane [tui-day]', async () => {
  await using home = await tempHome({ client: 'real', scenario: SCENARIO })
  gitProject(home.project)
  await using terminal = await dashboardIn(home, { env: loggedInClient(home) })
  await terminal.open()

  // Spawn a loop: the task is typed, the rest stays as it is.
  await terminal.keys('s')
  await terminal.sees('no checks: what is claimed stays unproven')
  await terminal.type('Write a note')
  await terminal.sees('Write a note')
  await terminal.keys('C-s')
  await terminal.sees(/── loop {2}\w{8}/)
  const [{ id: run } = { id: '' }] = await home.daemon.ask<RunSummary[]>({ path: '/v1/runs' })
  await terminal.sees(/iteration 1 of 50/)

  // It asks, and is answered from the inbox.
  await terminal.sees(/1 need you/)
  await terminal.keys('i')
  await terminal.sees(/▶.*permission.*echo hello > note\.txt/)
  await terminal.keys('y')
  await terminal.sees('Nothing waits for you.')
  await home.model.waitFor(({ line, turn }) => line.iteration === '2' && turn === 0)

  // What came of it: the verdict on the first iteration, and the diff.
  await terminal.keys('r')
  await terminal.sees(run)
  await terminal.keys('Enter')
  await terminal.sees(/1 .*continue/)
  await terminal.keys('D')
  await terminal.sees('+hello')
  await terminal.keys('Escape')
  await terminal.sees(/iteration 2 of 50/)

  // A verdict is marked wrong, its checkpoint taken out; the run is told something, paused, and goes on.
  await terminal.keys('k', 'v')
  await terminal.sees('the verdict on iteration 1 is wrong, because')
  await terminal.type('it was done')
  await terminal.keys('Enter')
  await terminal.sees(/1 .*continue, marked wrong/)
  await terminal.keys('B')
  await terminal.sees(`put iteration 1 of run ${run} into a new branch?`)
  await terminal.keys('y')
  const branch = `rehoboam-restored/${run}-1`
  await until(() => git(home.project, 'branch', '--list', branch).includes(branch), 'the branch of iteration 1')
  await terminal.keys('t')
  await terminal.type('use a capital letter')
  await terminal.keys('Enter')
  await untilRun(home, run, ({ messagesWaiting }) => messagesWaiting === 1, 'a message for the next turn')
  await terminal.keys('p')
  await untilStatus(home, run, 'paused')
  await terminal.sees(/ paused {2}somebody paused it/)
  await terminal.keys('R')
  await untilStatus(home, run, 'active')

  await terminal.sees(/ active /)
  await terminal.keys('X')
  await terminal.sees(`cancel run ${run} now?`)
  await terminal.keys('y')
  await untilStatus(home, run, 'cancelled')
  await terminal.sees(/ cancelled /)

  // Search finds it while it is typed; quit, and everything is there when one comes back.
  await terminal.keys('/')
  await terminal.type('cancel')
  await terminal.sees(new RegExp(`loop ${run} {2}cancelled`))
  await terminal.keys('Escape')
  await terminal.sees(/── loop/)
  await terminal.keys('q')
  await terminal.sees('left with 0')
  await terminal.open()
  await terminal.keys('r')
  await terminal.sees(run)

  // One session by the same dialog; jump to its pane, which is made for it, and come back out of it.
  await terminal.keys('s')
  await terminal.sees('iterations')
  await terminal.keys('BTab', 'BTab', 's')
  await terminal.keys('Tab', 'Tab')
  await terminal.type('Look around')
  await terminal.sees('Look around')
  await terminal.keys('C-s')
  await terminal.sees(/── session {2}\w{8}/)
  await home.model.waitFor(({ prompt }) => prompt.includes('Look around'))
  await terminal.sees(/turn 1 {2}running/)
  await terminal.keys('o')
  await terminal.sees('Take it over?')
  await terminal.keys('y')
  // The last line of the tmux that the pane is in: from then on it hears keys.
  await terminal.sees(/^\[\w{8}\]\d+:/m)
  await terminal.keys('C-b', 'd')
  await terminal.sees(/── session {2}\w{8}/)

  // A quest: its first role is at work.
  await terminal.keys('s')
  await terminal.sees('iterations')
  await terminal.keys('BTab', 'BTab', 'q')
  await terminal.sees('slots')
  await terminal.keys('Tab', 'Tab')
  await terminal.type('Two currencies')
  // The note is not committed, and a quest works in worktrees: that is said, and agreed to, before anything begins.
  await terminal.sees(/not committed, and not in the worktree: note\.txt[\s\S]*agreed/)
  await terminal.keys('BTab', 'BTab', 'BTab', 'BTab', 'y')
  await terminal.sees(/▶ agreed/)
  await terminal.keys('C-s')
  await terminal.sees(/── quest {2}\w{8}/)
  await terminal.sees(/● requirements/)
})
