import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { untilStatus } from '../session/runs.ts'
import { kill, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { asking, inboxOf, PERMISSION, spawned } from './scene.ts'

type Post = { body: string; signature: string | undefined }

async function receiver() {
  const posts: Post[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    posts.push({ body, signature: request.headers['x-rehoboam-signature'] as string | undefined })
    response.end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    posts,
    url: `http://127.0.0.1:${port}/hook`,
    [Symbol.asyncDispose]: () => new Promise<void>(resolve => server.close(() => resolve())),
  }
}

test('a question is told by one signed POST, however often it is looked at, and none comes while it is muted [notice-once] [notice-muted]', async () => {
  await using home = await tempHome({ scenario: PERMISSION })
  await using webhook = await receiver()
  Object.assign(home.env, { REHOBOAM_NOTIFY_WEBHOOK: webhook.url, REHOBOAM_NOTIFY_SECRET: 'shared-secret' })
  await spawned(home, 'perm please')
  const first = await asking(home)
  await until(() => webhook.posts.length === 1, 'the notice')
  const [{ body, signature } = { body: '', signature: '' }] = webhook.posts
  expect(signature).toBe(`sha256=${createHmac('sha256', 'shared-secret').update(body).digest('hex')}`)
  expect(JSON.parse(body)).toMatchObject({ id: first.id, kind: 'attention', text: 'Bash: touch made.txt' })
  expect((await home.rehoboam(['inbox', 'mute', '1h'])).out).toContain('muted until')
  await spawned(home, 'perm please')
  await until(async () => (await inboxOf(home)).length === 2, 'the second question')
  expect(webhook.posts).toHaveLength(1)
})

test('a webhook that does not answer costs a line in the log and nothing else [notice-failed]', async () => {
  await using home = await tempHome({ scenario: PERMISSION })
  Object.assign(home.env, { REHOBOAM_NOTIFY_WEBHOOK: 'http://127.0.0.1:1/' })
  await spawned(home, 'perm please')
  const { id } = await asking(home)
  const log = () => readFileSync(join(home.home, 'daemon.log'), 'utf8')
  await until(() => log().includes('a notice could not be delivered'), 'the line')
  expect((await home.rehoboam(['allow', id])).code).toBe(0)
})

test('a question is told once and a mute holds, also when the daemon is another one [notice-restart]', async () => {
  await using home = await tempHome({ client: 'real', scenario: PERMISSION })
  await using webhook = await receiver()
  Object.assign(home.env, { REHOBOAM_NOTIFY_WEBHOOK: webhook.url })
  await spawned(home, 'perm please')
  const { id } = await asking(home)
  await until(() => webhook.posts.length === 1, 'the notice')
  expect((await home.rehoboam(['inbox', 'mute', '1h'])).code).toBe(0)
  kill(home.daemonPid()!)
  await until(async () => (await inboxOf(home)).some(question => question.id === id), 'the question to be asked again')
  expect((await home.rehoboam(['inbox'])).out).toContain('muted for another ')
  expect((await home.rehoboam(['inbox', 'unmute'])).code).toBe(0)
  // The run's end is told by the new daemon, after everything that it might have told of the question.
  expect((await home.rehoboam(['allow', id])).code).toBe(0)
  await until(() => webhook.posts.length > 1, 'the notice of the end')
  expect(webhook.posts.map(({ body }) => JSON.parse(body).kind)).toEqual(['attention', 'complete'])
})

test('a run that ends or needs somebody is told once, with why; one that its user stopped is not [notice-runs]', async () => {
  await using home = await tempHome({
    scenario: [
      { when: { prompt: 'limit' }, reply: { status: 429 } },
      { when: { prompt: 'hang' }, reply: { fault: { kind: 'hang' } } },
      { reply: { text: 'Fine.' } },
    ],
  })
  await using webhook = await receiver()
  Object.assign(home.env, { REHOBOAM_NOTIFY_WEBHOOK: webhook.url })
  const told = () => webhook.posts.map(({ body }) => JSON.parse(body)).map(({ run, kind }) => `${run} ${kind}`)
  await home.rehoboam(['spawn', '--prompt', 'fine', '--wait'])
  const [done] = home.runs()
  await until(() => told().length === 1, 'the first end')
  expect(told()).toEqual([`${done} complete`])
  const stopped = (await home.rehoboam(['spawn', '--prompt', 'hang'])).out.trim()
  await home.model.waitFor(({ prompt }) => prompt.includes('hang'))
  await home.rehoboam(['cancel', stopped])
  await untilStatus(home, stopped, 'cancelled')
  const late = (await home.rehoboam(['spawn', '--prompt', 'hang', '--max-time', '1s'])).out.trim()
  await until(() => told().includes(`${late} over-budget`), 'the time limit')
  const failed = (await home.rehoboam(['spawn', '--prompt', 'limit'])).out.trim()
  await until(() => told().includes(`${failed} failed`), 'the failure')
  await home.rehoboam(['daemon', 'stop'])
  await home.rehoboam(['spawn', '--prompt', 'fine', '--wait'])
  await until(() => told().length >= 4, 'the last end')
  expect(told().slice(0, 3)).toEqual([`${done} complete`, `${late} over-budget`, `${failed} failed`])
  expect(told()).toHaveLength(4)
  const [, , failure] = webhook.posts.map(({ body }) => JSON.parse(body))
  expect(failure).toMatchObject({ title: `rehoboam: run ${failed} is failed`, text: expect.stringContaining('limit') })
})
