import { expect, test } from 'vitest'
import { agentsOf } from '../inbox/scene.ts'
import { tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { show, untilStatus } from './runs.ts'
import { tmuxAt } from './tmux-at.ts'

test('a session that has ended is opened in a pane, where it waits for its user with its history [open-takes-over]', async () => {
  await using home = await tempHome({ client: 'real', scenario: [{ reply: { text: 'Fine.' } }] })
  const run = (await home.rehoboam(['spawn', '--prompt', 'quick please'])).out.trim()
  await untilStatus(home, run, 'complete')
  const asked = home.model.asked.length
  const [agent] = await agentsOf(home)
  const pane = (await home.rehoboam(['open', agent!.session.slice(0, 8)])).out.trim()
  const shows = (words: string) => tmuxAt(pane, 'capture-pane', '-p').includes(words)
  await until(() => shows('auto mode on') && shows('quick please'), 'its input and its history')
  expect(home.model.asked.slice(asked).filter(({ tools }) => tools.length > 0)).toEqual([])
  expect(await show(home, run)).toMatchObject({ status: 'active', driver: 'pane' })
  tmuxAt(pane, 'send-keys', '-l', '/exit')
  await until(() => shows('❯ /exit'), 'the words to be there')
  tmuxAt(pane, 'send-keys', 'Enter')
  await untilStatus(home, run, 'complete')
})
