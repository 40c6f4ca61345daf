import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { asking, PERMISSION, spawned } from './scene.ts'

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
  await until(
    async () => (await home.rehoboam(['inbox', '--json'])).out.match(/"id"/g)?.length === 2,
    'the second question',
  )
  expect(webhook.posts).toHaveLength(1)
})

test('a webhook that does not answer costs a line in the log and nothing else [notice-failed]', async () => {
  await using home = await tempHome({ scenario: PERMISSION })
  Object.assign(home.env, { REHOBOAM_NOTIFY_WEBHOOK: 'http://127.0.0.1:1/' })
  await spawned(home, 'perm please')
  const { id } = await asking(home)
  await until(
    async () => (await home.rehoboam(['daemon', 'logs'])).out.includes('a notice could not be delivered'),
    'the line',
  )
  expect((await home.rehoboam(['allow', id])).code).toBe(0)
})
