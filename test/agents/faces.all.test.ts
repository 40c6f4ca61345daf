import { expect, test } from 'vitest'
import { asking, PERMISSION, spawned } from '../inbox/scene.ts'
import { typed } from '../support/real-pane.ts'
import { tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { ownSession } from './own-session.ts'

test('a message for a session in somebody’s own tmux is typed into its pane, and logs -f shows it as it comes [agent-tell-pane] [agent-logs]', async () => {
  await using home = await tempHome({ client: 'real', scenario: [{ reply: { text: 'Verstanden.' } }] })
  await using own = await ownSession(home)
  const id = own.agent.session.slice(0, 8)
  const following = home.start(['logs', '-f', id])
  const text = 'Grüße; $(touch owned) `x` "y" \'z\' \u001b[201~\nund noch eine Zeile'
  expect(await home.rehoboam(['tell', id, text])).toMatchObject({
    code: 0,
    out: `typed into the pane of agent ${id}\n`,
  })
  const asked = await home.model.waitFor(({ messages }) => JSON.stringify(messages).includes('noch eine Zeile'))
  const prompt = JSON.stringify(asked.messages)
  expect(prompt).toContain('Grüße; $(touch owned) `x` \\"y\\" \'z\' [201~\\nund noch eine Zeile')
  await until(() => following.out().includes('Verstanden.'), 'the answer in the log')
  following.child.kill('SIGINT')
  expect((await following.ended).code).toBe(0)
})

test('nothing is typed into a pane that shows a prompt, a list or somebody’s draft [agent-tell-refused]', async () => {
  await using home = await tempHome({ client: 'real', scenario: PERMISSION })
  await using own = await ownSession(home)
  const id = own.agent.session.slice(0, 8)
  const prompt = async () => (await own.capture()).split('\n').findLast(row => row.startsWith('❯')) ?? ''
  // It may not take keys yet when its screen is there.
  await until(async () => {
    if ((await prompt()).includes('half a draft')) return true
    await own.keys('C-u', 'half a draft')
    await own.waitForText('half a draft', 3_000).catch(() => {})
    return false
  }, 'a draft')
  const drafted = await home.rehoboam(['tell', id, 'x'])
  expect(drafted).toMatchObject({ code: 1, err: expect.stringContaining('somebody is typing') })
  await own.keys('C-u')
  await until(async () => (await prompt()).trim() === '❯', 'no draft')
  await typed(own, '/model')
  await own.waitForText('Select model')
  const listed = await home.rehoboam(['tell', id, 'x'])
  expect(listed).toMatchObject({
    code: 1,
    err: expect.stringMatching(/shows something else than its input|waits for an answer/),
  })
  await own.keys('Escape')
  await own.waitForText('? for shortcuts')
  expect((await home.rehoboam(['tell', id, 'perm please'])).code).toBe(0)
  await asking(home)
  const asked = await home.rehoboam(['tell', id, 'x'])
  expect(asked).toMatchObject({
    code: 1,
    err: expect.stringMatching(/waits for an answer: Bash: touch made.txt .*rehoboam inbox/),
  })
  const { out } = await home.rehoboam(['show', id])
  expect(out).toMatch(/\nasks\n {2}[0-9a-f]{8} {2}permission, [^:]+ ago: Bash: touch made.txt {2}\(rehoboam allow /)
})

test('a run’s pane that shows a prompt is not typed into either [agent-tell-refused]', async () => {
  await using home = await tempHome({ client: 'real', scenario: PERMISSION })
  const run = await spawned(home, 'perm please', '--driver', 'pane')
  await asking(home)
  expect(await home.rehoboam(['tell', run, 'x'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('waits for an answer'),
  })
})
