import { expect, test } from 'vitest'
import { say } from '../../src/rehearsal/replies.ts'
import { agentThat } from '../inbox/own-pane.ts'
import { openPane } from '../support/real-pane.ts'
import { REAL_CLIENT, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'

test('a session without hooks that ran before the daemon is listed with what it does [agent-found]', async () => {
  const scenario = [{ reply: say('All done.', { fault: { kind: 'hang' as const, name: 'answer' } }) }]
  await using home = await tempHome({ client: 'real', scenario })
  const { REHOBOAM_CLAUDE: _, ...env } = home.env
  await using pane = await openPane({ program: [REAL_CLIENT], prompt: 'begin', cwd: home.project, env })
  await home.model.waitFor(({ prompt }) => prompt.includes('begin'))
  await home.daemon.ready()
  const found = await agentThat(home, ({ status }) => status === 'working', 'it to be found at work')
  expect(found).toMatchObject({ project: home.project, run: null, unsure: expect.stringContaining('own note') })
  await until(() => home.model.release('answer') > 0, 'the answer to be let go')
  await pane.waitForText('All done.')
  await agentThat(home, ({ session, status }) => session === found.session && status === 'waiting', 'it to wait')
})
