import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { tmuxSocketOf } from '../../src/contract/home.ts'
import { CAUSES } from '../../src/contract/run.ts'
import { bash, say, turns } from '../../src/rehearsal/replies.ts'
import { sessionProcessesOf } from '../daemon/processes.ts'
import { eventsOf, linesOf, show, untilRun, untilStatus } from '../session/runs.ts'
import { pressedUntil } from '../support/real-pane.ts'
import { type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { gitProject, spawnLoop, untilLogged } from './projects.ts'

const PANE = ['--driver', 'pane', '--no-ward']
const hung = (words: string, name: string) => say(words, { fault: { kind: 'hang', name } })

/** What somebody at the pane's keyboard does. */
function press(home: TempHome, run: string, ...keys: string[]): true {
  execFileSync('tmux', ['-L', tmuxSocketOf(home.home), 'send-keys', '-t', `=${run}:`, ...keys])
  return true
}

function screenOf(home: TempHome, run: string): string {
  const words = ['-L', tmuxSocketOf(home.home), 'capture-pane', '-p', '-t', `=${run}:`]
  return execFileSync('tmux', words, { encoding: 'utf8' })
}

test.each([
  ['before its first word', []],
  ['in the middle of its work', [bash('echo 1 > one')]],
])(
  'a person who presses Esc %s and types takes an iteration over: the run pauses, the session goes on, and resume gives it back [loop-takeover]',
  async (_, before) => {
    await using home = await tempHome({
      client: 'real',
      scenario: [
        ...turns({ prompt: 'my way' }, say('As you like. There is more to do.')),
        ...turns({ iteration: 1 }, ...before, hung('Never heard.', 'one')),
        ...turns({ iteration: 2 }, say('All is there.\n\nDONE')),
      ],
    })
    gitProject(home.project)
    const run = await spawnLoop(home, home.project, 'Go', PANE)
    await home.model.waitFor(({ line, turn }) => line.iteration === '1' && turn === before.length)
    const { pid } = await until(() => eventsOf(home, run, 'session-started')[0], 'the start to be written down')
    const isPaused = async () => (await show(home, run)).status === 'paused'
    const isAtWork = () => screenOf(home, run).includes('esc to interrupt')
    await pressedUntil(isPaused, () => isAtWork() && press(home, run, 'Escape'), 'Esc to be taken')
    expect(await untilStatus(home, run, 'paused')).toMatchObject({ cause: 'taken-over', iteration: 1 })
    press(home, run, '-l', 'Do it my way')
    await until(() => screenOf(home, run).includes('my way'), 'the words to be there')
    const isSent = () => home.model.asked.some(({ prompt }) => prompt.includes('my way'))
    await pressedUntil(isSent, () => press(home, run, 'Enter'), 'Enter to be taken')
    // Its turn has ended, and still nothing is done about it.
    await untilRun(home, run, ({ seq }) => seq > 0 && isAtRest(home, run), 'the end of the person’s turn')
    expect(await show(home, run)).toMatchObject({ status: 'paused', cause: 'taken-over', iteration: 1 })
    expect(sessionProcessesOf(home).length).toBeGreaterThan(0)
    expect(eventsOf(home, run, 'session-ended')).toEqual([])

    expect(await home.rehoboam(['resume', run])).toMatchObject({ code: 0 })
    expect(await untilStatus(home, run, 'complete')).toMatchObject({ cause: 'stop-word', iteration: 2 })
    expect(eventsOf(home, run, 'session-started').map(event => event.pid)[0]).toBe(pid)
    expect(eventsOf(home, run, 'session-started')).toHaveLength(2)
    await untilLogged(home.project, 'complete (stop-word), ended')
    expect(
      linesOf(home.project, '.rehoboam/activity.log').filter(line => line.includes(CAUSES['taken-over'])),
    ).toHaveLength(1)
    expect((await home.rehoboam(['logs', run])).out.match(/somebody types in its pane/g)).toHaveLength(1)
  },
)

test('what is told to a loop is typed into its pane, and is no takeover [loop-takeover]', async () => {
  await using home = await tempHome({
    client: 'real',
    scenario: [
      // First: what a busy client had not taken when its turn ended is in the next prompt.
      ...turns({ iteration: 2 }, say('All is there.\n\nDONE')),
      ...turns({ prompt: 'the other file' }, say('I use it. There is more to do.')),
      ...turns({ iteration: 1 }, hung('First.', 'one')),
    ],
  })
  gitProject(home.project)
  const run = await spawnLoop(home, home.project, 'Go', PANE)
  await home.model.waitFor(({ line }) => line.iteration === '1')
  expect(await home.rehoboam(['tell', run, 'use the other file'])).toMatchObject({ code: 0 })
  await untilRun(home, run, () => eventsOf(home, run, 'text-typed').length > 0, 'the message to be typed')
  home.model.release('one')
  expect(await untilStatus(home, run, 'complete', 'paused')).toMatchObject({ cause: 'stop-word', iteration: 2 })
  const reports = eventsOf(home, run, 'session-reported').map(({ report }) => report.kind)
  expect(reports).not.toContain('taken-over')
  expect(home.model.asked.some(({ prompt }) => prompt.includes('the other file'))).toBe(true)
})

/** The screen has no spinner any more: the client is at its prompt. */
function isAtRest(home: TempHome, run: string): boolean {
  return screenOf(home, run).includes('As you like.')
}
