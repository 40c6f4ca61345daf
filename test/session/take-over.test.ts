import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import type { RunDetail } from '../../src/contract/run.ts'
import type { RuleSource } from '../../src/rehearsal/scenario.ts'
import { agentsOf } from '../inbox/scene.ts'
import { type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'

const SLOW: RuleSource[] = [
  { when: { prompt: 'slow', turn: 0, attempt: 1 }, reply: { text: 'I begin.', fault: { kind: 'hang', name: 'gate' } } },
  { when: { prompt: 'moved into a terminal' }, reply: { text: 'I go on here.' } },
  { when: { prompt: 'typed by hand' }, reply: { text: 'Heard in the pane.' } },
  { reply: { text: 'Fine.' } },
]

const shown = (home: TempHome, run: string): Promise<RunDetail> => home.daemon.ask({ path: `/v1/runs/${run}` })

function tmux(pane: string, ...words: string[]): string {
  const at = pane.lastIndexOf(':')
  const [command = '', ...more] = words
  return execFileSync('tmux', ['-L', pane.slice(0, at), command, '-t', pane.slice(at + 1), ...more], {
    encoding: 'utf8',
  })
}

test('a headless session that works is ended and goes on in a pane, and its run is followed there [open-takes-over]', async () => {
  await using home = await tempHome({ client: 'real', scenario: SLOW })
  const run = (await home.rehoboam(['spawn', '--prompt', 'slow please'])).out.trim()
  await home.model.waitFor(({ prompt }) => prompt.includes('slow please'))
  const before = await until(async () => (await shown(home, run)).turns.at(-1)?.pid, 'the turn to run')
  const { code, out, err } = await home.rehoboam(['open', run])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const pane = out.trim()
  await until(() => tmux(pane, 'capture-pane', '-p').includes('I go on here.'), 'the session to go on in its pane')
  expect(() => process.kill(before, 0)).toThrow()
  const after = await shown(home, run)
  expect(after).toMatchObject({ status: 'active', driver: 'pane', turns: [{ state: 'ended' }, { state: 'running' }] })
  const known = await until(async () => {
    const agents = await agentsOf(home)
    return agents.every(agent => agent.pane !== null) && agents
  }, 'the place of the session to be known')
  expect(known).toMatchObject([{ session: after.session, run, pane }])
  expect((await home.rehoboam(['open', run])).out.trim()).toBe(pane)
  expect((await home.rehoboam(['tell', run, 'typed by hand'])).code).toBe(0)
  await until(() => tmux(pane, 'capture-pane', '-p').includes('Heard in the pane.'), 'the answer')
  expect((await home.rehoboam(['cancel', run])).code).toBe(0)
  await until(async () => (await shown(home, run)).status === 'cancelled', 'the run to end')
  home.model.release('gate')
})

test('a session that has ended is opened in a pane, where it waits for its user with its history [open-takes-over]', async () => {
  await using home = await tempHome({ client: 'real', scenario: SLOW })
  const run = (await home.rehoboam(['spawn', '--prompt', 'quick please'])).out.trim()
  await until(async () => (await shown(home, run)).status === 'complete', 'the run to be complete')
  const asked = home.model.asked.length
  const [agent] = await agentsOf(home)
  const pane = (await home.rehoboam(['open', agent!.session.slice(0, 8)])).out.trim()
  const shows = (words: string) => tmux(pane, 'capture-pane', '-p').includes(words)
  await until(() => shows('auto mode on') && shows('quick please'), 'its input and its history')
  expect(home.model.asked.slice(asked).filter(({ tools }) => tools.length > 0)).toEqual([])
  expect(await shown(home, run)).toMatchObject({ status: 'active', driver: 'pane' })
  tmux(pane, 'send-keys', '-l', '/exit')
  await until(() => shows('❯ /exit'), 'the words to be there')
  tmux(pane, 'send-keys', 'Enter')
  await until(async () => (await shown(home, run)).status === 'complete', 'the run to be complete again')
})
