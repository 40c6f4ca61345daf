import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AgentDetail } from '../../src/contract/agent-detail.ts'
import { BODY_LIMIT, CLIENT_HOOK_LIMIT } from '../../src/contract/body-limit.ts'
import { tmuxSocketOf } from '../../src/contract/home.ts'
import { agentsOf, inboxOf, spawned } from '../inbox/scene.ts'
import { paneOn } from '../support/real-pane.ts'
import { type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { event, hook } from './hook.ts'

const CONTENT = 'x'.repeat(BODY_LIMIT + 1_000_000)
const OWN = { CLAUDE_CODE_ENTRYPOINT: 'cli', CLAUDE_PID: String(process.pid) }

async function historyOf(home: TempHome): Promise<string[]> {
  const [agent] = await agentsOf(home)
  if (!agent) return []
  const { history } = await home.daemon.ask<AgentDetail>({ path: `/v1/agents/${agent.session}` })
  return history.map(({ name, tool }) => `${name} ${tool}`.trim())
}

/** On a machine that is too busy for an answer in time, its event comes by way of the spool. */
async function heard(home: TempHome, payload: object, isHeard: () => Promise<boolean>): Promise<void> {
  expect(await hook(home, payload, [], OWN)).toMatchObject({ code: 0, out: '', err: '' })
  await until(isHeard, 'the event to be heard')
}

test('a permission for more than the daemon reads is asked, no rule decides it, and its end closes it [hook-large]', async () => {
  await using home = await tempHome()
  await home.daemon.ready()
  expect((await home.rehoboam(['rules', 'add', 'allow', 'Write'])).code).toBe(0)
  const call = { tool_name: 'Write', tool_input: { file_path: '/somewhere/a', content: CONTENT } }
  const held = hook(home, event('PermissionRequest', call), ['--hold'], OWN)
  const asked = await until(async () => (await inboxOf(home))[0], 'the question')
  expect(asked).toMatchObject({ tool: 'Write', why: 'it is too large for a rule to decide about' })
  expect(asked.text).toContain('/somewhere/a')
  const done = { ...call, tool_use_id: 't', tool_response: { type: 'create', content: CONTENT } }
  await heard(home, event('PostToolUse', done), async () => (await inboxOf(home)).length === 0)
  expect(await held).toMatchObject({ code: 0, out: '' })
})

test('of an event with too much of everything it is still known who did what [hook-large]', async () => {
  await using home = await tempHome()
  await home.daemon.ready()
  const many = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`text${n}`, 'x'.repeat(6_000)]))
  const call = { tool_name: 'mcp__paint', tool_input: many, tool_use_id: 't' }
  await heard(home, event('PreToolUse', call), async () => (await historyOf(home)).length > 0)
  expect(new Set(await historyOf(home))).toEqual(new Set(['PreToolUse mcp__paint']))
})

test('a large event of a session of ours is taken, and its screen shows no error [hook-large-screen]', async () => {
  const file_path = 'large.txt'
  const edit = { file_path, old_string: 'first line', new_string: 'one line' }
  await using home = await tempHome({
    client: 'real',
    scenario: [
      { when: { turn: 0 }, reply: { text: 'I look.', tools: [{ name: 'Read', input: { file_path, limit: 1 } }] } },
      { when: { turn: 1 }, reply: { text: 'I edit.', tools: [{ name: 'Edit', input: edit }] } },
      { reply: { text: 'Fine and done.' } },
    ],
  })
  writeFileSync(join(home.project, file_path), `first line\n${`${'x'.repeat(99)}\n`.repeat(BODY_LIMIT / 50)}`)
  await spawned(home, 'go', '--driver', 'pane', '--permission-mode', 'acceptEdits')
  await until(async () => (await historyOf(home)).includes('PostToolUse Edit'), 'the edit to be told')
  const pane = paneOn(tmuxSocketOf(home.home))
  expect(await pane.waitForText('Fine and done.')).not.toContain('hook error')
})

test('a body over the limit of the client’s own hooks is refused, whoever sends it [hook-large-refused]', async () => {
  await using home = await tempHome()
  await home.daemon.ready()
  const port = home.daemon.registration()!.port
  const sent = await fetch(`http://127.0.0.1:${port}/v1/hook`, {
    method: 'POST',
    body: Buffer.alloc(CLIENT_HOOK_LIMIT + 1, 'x'),
  }).then(
    ({ status }) => status,
    () => 'cut off',
  )
  expect([413, 'cut off']).toContain(sent)
  const small = await fetch(`http://127.0.0.1:${port}/v1/session`, { method: 'POST', body: 'x'.repeat(BODY_LIMIT + 1) })
  expect(small.status).toBe(413)
})
