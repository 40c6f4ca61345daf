import { afterAll, beforeAll, expect, test } from 'vitest'
import { BODY_LIMIT, CLIENT_HOOK_LIMIT } from '../../src/contract/body-limit.ts'
import { inboxOf } from '../inbox/scene.ts'
import { type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { event, historyOf, hook } from './hook.ts'

const CONTENT = 'x'.repeat(BODY_LIMIT + 1_000_000)
const OWN = { CLAUDE_CODE_ENTRYPOINT: 'cli', CLAUDE_PID: String(process.pid) }

let home: TempHome
beforeAll(async () => {
  home = await tempHome()
  await home.daemon.ready()
  // Before any hook reports: they name this process as the agent, and an agent may add no rules.
  expect((await home.rehoboam(['rules', 'add', 'allow', 'Write'])).code).toBe(0)
})
afterAll(() => home[Symbol.asyncDispose]())

/** On a machine that is too busy for an answer in time, its event comes by way of the spool. */
async function heard(payload: object, isHeard: () => Promise<boolean>): Promise<void> {
  expect(await hook(home, payload, [], OWN)).toMatchObject({ code: 0, out: '', err: '' })
  await until(isHeard, 'the event to be heard')
}

test('a permission for more than the daemon reads is asked, no rule decides it, and its end closes it [hook-large]', async () => {
  const call = { tool_name: 'Write', tool_input: { file_path: '/somewhere/a', content: CONTENT } }
  const held = hook(home, event('PermissionRequest', call), ['--hold'], OWN)
  const asked = await until(async () => (await inboxOf(home))[0], 'the question')
  expect(asked).toMatchObject({ tool: 'Write', why: 'it is too large for a rule to decide about' })
  expect(asked.text).toContain('/somewhere/a')
  const done = { ...call, tool_use_id: 't', tool_response: { type: 'create', content: CONTENT } }
  await heard(event('PostToolUse', done), async () => (await inboxOf(home)).length === 0)
  expect(await held).toMatchObject({ code: 0, out: '' })
})

test('of an event with too much of everything it is still known who did what [hook-large]', async () => {
  const many = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`text${n}`, 'x'.repeat(6_000)]))
  const call = { tool_name: 'mcp__paint', tool_input: many, tool_use_id: 't' }
  const painter = { session_id: 'a-painter', ...call }
  await heard(event('PreToolUse', painter), async () => (await historyOf(home, 'a-painter')).length > 0)
  const names = (await historyOf(home, 'a-painter')).map(({ name, tool }) => `${name} ${tool}`)
  expect(new Set(names)).toEqual(new Set(['PreToolUse mcp__paint']))
})

test('a body over the limit of the client’s own hooks is refused, whoever sends it [hook-large]', async () => {
  await untilTooLarge('/v1/hook', CLIENT_HOOK_LIMIT + 1)
  await untilTooLarge('/v1/session', BODY_LIMIT + 1)
})

/** On a machine that is too busy to send the body in time, the answer is 408 or none: then it is sent again. */
async function untilTooLarge(path: string, length: number): Promise<void> {
  const url = `http://127.0.0.1:${home.daemon.registration()!.port}${path}`
  const body = Buffer.alloc(length, 'x')
  const status = await until(async () => {
    const answer = await fetch(url, { method: 'POST', body }).catch(() => null)
    return answer?.status === 408 ? null : answer?.status
  }, 'an answer')
  expect(status).toBe(413)
}
