import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { untilStatus } from '../session/runs.ts'
import { kill, type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { inboxOf, PERMISSION, runIn } from './scene.ts'

type Post = { body: string; signature: string | undefined }
type Notice = { id: string; run: string; kind: string; title: string; text: string }

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

describe('a webhook', () => {
  // One home for all of them: each looks at the notices of its own runs, and whoever mutes unmutes.
  let home: TempHome
  let webhook: Awaited<ReturnType<typeof receiver>>
  beforeAll(async () => {
    webhook = await receiver()
    home = await tempHome({
      client: 'either',
      scenario: [
        { when: { prompt: 'limit' }, reply: { status: 429 } },
        { when: { prompt: 'hang' }, reply: { fault: { kind: 'hang' } } },
        ...PERMISSION,
      ],
    })
    Object.assign(home.env, { REHOBOAM_NOTIFY_WEBHOOK: webhook.url, REHOBOAM_NOTIFY_SECRET: 'shared-secret' })
  })
  afterAll(async () => {
    await home[Symbol.asyncDispose]()
    await webhook[Symbol.asyncDispose]()
  })

  const postsAbout = (...runs: string[]) =>
    webhook.posts
      .map(({ body, signature }) => ({ body, signature, ...(JSON.parse(body) as Notice) }))
      .filter(({ run }) => runs.includes(run))
  const told = (...runs: string[]) => postsAbout(...runs).map(({ run, kind }) => `${run} ${kind}`)
  const untilTold = (run: string, kind: string) =>
    until(() => told(run).includes(`${run} ${kind}`), `${kind} of run ${run}`)

  test('a question is told by one signed POST, however often it is looked at, and none comes while it is muted [notice-once]', async () => {
    const first = await runIn(home, 'told', 'perm please')
    const question = await first.asking()
    await untilTold(first.run, 'attention')
    const [{ body, signature, ...notice } = { body: '', signature: '' }] = postsAbout(first.run)
    expect(signature).toBe(`sha256=${createHmac('sha256', 'shared-secret').update(body).digest('hex')}`)
    expect(notice).toMatchObject({ id: question.id, kind: 'attention', text: 'Bash: touch made.txt' })
    expect((await home.rehoboam(['inbox', 'mute', '1h'])).out).toContain('muted until')
    const muted = await runIn(home, 'muted', 'perm please')
    const quiet = await muted.asking()
    expect((await home.rehoboam(['inbox', 'unmute'])).code).toBe(0)
    // The run's end is told after everything that might have been told of its question.
    expect((await home.rehoboam(['allow', question.id, quiet.id])).code).toBe(0)
    for (const { run } of [first, muted]) await untilTold(run, 'complete')
    expect(told(first.run)).toEqual([`${first.run} attention`, `${first.run} complete`])
    expect(told(muted.run)).toEqual([`${muted.run} complete`])
  })

  test('a question is told once and a mute holds, also when the daemon is another one [notice-once]', async () => {
    const { run, asking } = await runIn(home, 'restarted', 'perm please')
    const { id } = await asking()
    await untilTold(run, 'attention')
    expect((await home.rehoboam(['inbox', 'mute', '1h'])).code).toBe(0)
    kill(home.daemonPid()!)
    await until(
      async () => (await inboxOf(home)).some(question => question.id === id),
      'the question to be asked again',
    )
    expect((await home.rehoboam(['inbox'])).out).toContain('muted for another ')
    expect((await home.rehoboam(['inbox', 'unmute'])).code).toBe(0)
    // The run's end is told by the new daemon, after everything that it might have told of the question.
    expect((await home.rehoboam(['allow', id])).code).toBe(0)
    await untilTold(run, 'complete')
    expect(told(run)).toEqual([`${run} attention`, `${run} complete`])
  })

  test('a run that ends or needs somebody is told once, with why; one that its user stopped is not [notice-once]', async () => {
    const done = await runIn(home, 'done', 'fine')
    await untilTold(done.run, 'complete')
    const stopped = await runIn(home, 'stopped', 'hang')
    await home.model.waitFor(({ line }) => line.run === stopped.run)
    await home.daemon.ask({ method: 'POST', path: `/v1/runs/${stopped.run}/cancel`, body: {} })
    await untilStatus(home, stopped.run, 'cancelled')
    const late = await runIn(home, 'late', 'hang', { maxTime: '1s' })
    await untilTold(late.run, 'over-budget')
    const failed = await runIn(home, 'failed', 'limit')
    await untilTold(failed.run, 'failed')
    await home.daemon.stop(null)
    const last = await runIn(home, 'last', 'fine')
    await untilTold(last.run, 'complete')
    const [ended, over, failure, end] = [done.run, late.run, failed.run, last.run]
    expect(told(ended, over, failure, end, stopped.run)).toEqual([
      `${ended} complete`,
      `${over} over-budget`,
      `${failure} failed`,
      `${end} complete`,
    ])
    const [why] = postsAbout(failure)
    expect(why).toMatchObject({ title: `rehoboam: run ${failure} is failed`, text: expect.stringContaining('limit') })
  })
})

test('a webhook that does not answer costs a line in the log and nothing else [notice-once]', async () => {
  await using home = await tempHome({ scenario: PERMISSION })
  Object.assign(home.env, { REHOBOAM_NOTIFY_WEBHOOK: 'http://127.0.0.1:1/' })
  const { asking } = await runIn(home, '.', 'perm please')
  const { id } = await asking()
  const log = () => readFileSync(join(home.home, 'daemon.log'), 'utf8')
  await until(() => log().includes('a notice could not be delivered'), 'the line')
  expect((await home.rehoboam(['allow', id])).code).toBe(0)
})
