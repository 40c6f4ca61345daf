import { expect, test } from 'vitest'
import type { RuleSource } from '../../src/rehearsal/scenario.ts'
import { agentsOf } from '../inbox/scene.ts'
import { tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { cancel, show, spawnRun, untilStatus } from './runs.ts'
import { tmuxAt } from './tmux-at.ts'

const SLOW: RuleSource[] = [
  { when: { prompt: 'slow', turn: 0, attempt: 1 }, reply: { text: 'I begin.', fault: { kind: 'hang', name: 'gate' } } },
  { when: { prompt: 'moved into a terminal' }, reply: { text: 'I go on here.' } },
  { when: { prompt: 'typed by hand' }, reply: { text: 'Heard in the pane.' } },
  { reply: { text: 'Fine.' } },
]

test('a headless session that works is ended and goes on in a pane, and its run is followed there [open-takes-over]', async () => {
  await using home = await tempHome({ client: 'real', scenario: SLOW })
  const run = await spawnRun(home, 'slow please')
  await home.model.waitFor(({ prompt }) => prompt.includes('slow please'))
  const before = await until(async () => (await show(home, run)).turns.at(-1)?.pid, 'the turn to run')
  const { code, out, err } = await home.rehoboam(['open', run])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const pane = out.trim()
  await until(() => tmuxAt(pane, 'capture-pane', '-p').includes('I go on here.'), 'the session to go on in its pane')
  expect(() => process.kill(before, 0)).toThrow()
  const after = await show(home, run)
  expect(after).toMatchObject({ status: 'active', driver: 'pane', turns: [{ state: 'ended' }, { state: 'running' }] })
  const known = await until(async () => {
    const agents = await agentsOf(home)
    return agents.every(agent => agent.pane !== null) && agents
  }, 'the place of the session to be known')
  expect(known).toMatchObject([{ session: after.session, run, pane }])
  expect((await home.rehoboam(['open', run])).out.trim()).toBe(pane)
  expect((await home.rehoboam(['tell', run, 'typed by hand'])).code).toBe(0)
  await until(() => tmuxAt(pane, 'capture-pane', '-p').includes('Heard in the pane.'), 'the answer')
  await cancel(home, run)
  await untilStatus(home, run, 'cancelled')
  home.model.release('gate')
})
