import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bash, say, turns } from '../../src/rehearsal/replies.ts'
import { linesOf, spawnRun, untilLine } from '../session/runs.ts'
import { type TempHome, tempHome } from '../support/temp-home.ts'
import { keepPort } from './kept-port.ts'
import { killDaemon } from './processes.ts'

/** Two runs whose agents gave their tokens away, still at work. */
let home: TempHome
let runs: { run: string; token: string }[]

beforeAll(async () => {
  home = await tempHome({
    scenario: turns({}, bash('echo $REHOBOAM_TOKEN > $REHOBOAM_RUN.token'), say('Done.', { fault: { kind: 'hang' } })),
  })
  runs = await Promise.all(
    ['One', 'Two'].map(async prompt => {
      const run = await spawnRun(home, prompt)
      return { run, token: await untilLine(home.project, `${run}.token`) }
    }),
  )
})
afterAll(() => home[Symbol.asyncDispose]())

test('the token of a session reaches that session, and says whose run it is [loopback-own-session]', async () => {
  for (const { run, token } of runs) {
    const { status, body } = await ask('/v1/session', token)
    expect([status, body.run.id, body.run.status]).toEqual([200, run, 'active'])
    expect(token.startsWith(`${body.session}.`)).toBe(true)
  }
})

test('without a token nothing is served, not even that there is something [loopback-no-token]', async () => {
  for (const path of ['/v1/session', '/v1/runs', '/v1/status', '/', '/nothing']) {
    expect(await ask(path, null)).toMatchObject({ status: 401, body: { error: { code: 'token-refused' } } })
  }
})

test('the token of a session reaches nothing else: no list, no run, no command, no stop [loopback-own-session]', async () => {
  const [{ run, token }, other] = runs as [{ run: string; token: string }, { run: string }]
  const paths = [
    '/v1/runs',
    '/v1/status',
    `/v1/runs/${run}`,
    `/v1/runs/${other.run}/feed`,
    '/v1/session/',
    '/v1/session/x',
  ]
  for (const path of paths)
    expect(await ask(path, token)).toMatchObject({ status: 403, body: { error: { code: 'scope-refused' } } })
  for (const path of [
    '/v1/stop',
    '/v1/runs',
    `/v1/runs/${run}/cancel`,
    `/v1/runs/${other.run}/tell`,
    '/v1/config/set',
    '/v1/session',
  ]) {
    expect((await ask(path, token, {}, 'POST')).status).toBe(403)
  }
  expect((await ask('/v1/session', token)).status).toBe(200)
})

test('a token that is forged, cut or altered in any one character is refused [loopback-no-token]', async () => {
  const { token } = runs[0]!
  const [session = '', signature = ''] = token.split('.')
  const forged = [
    session,
    `${session}.`,
    `.${signature}`,
    token.slice(0, -1),
    `${token}A`,
    `${token}=`,
    `${token}.x`,
    `${token}!`,
  ]
  const other = `${runs[1]!.token.split('.')[0]}.${signature}`
  const unknown = `${randomUUID()}.${signature}`
  const altered = [...token].map(
    (character, n) => `${token.slice(0, n)}${character === 'A' ? 'B' : 'A'}${token.slice(n + 1)}`,
  )
  // The next letter of the alphabet differs only in bits that a lenient decoder throws away.
  const last = `${token.slice(0, -1)}${String.fromCharCode(token.charCodeAt(token.length - 1) + 1)}`
  const all = [...forged, other, unknown, ...altered, last, token.toUpperCase(), '', ' ', '.'.repeat(10_000)]
  const seen = await Promise.all(all.map(async text => (await ask('/v1/session', text)).status))
  expect(seen).toEqual(all.map(() => 401))
})

test('only Bearer is understood, and only in the header [loopback-no-token]', async () => {
  const { token } = runs[0]!
  for (const authorization of [token, `Basic ${token}`, `bearer${token}`, `Bearer  ${token}`]) {
    expect((await ask('/v1/session', null, { authorization })).status).toBe(401)
  }
  expect((await ask(`/v1/session?token=${token}`, null)).status).toBe(401)
})

test('a request for another host, or from a page of another origin, is refused whatever its token [loopback-no-token]', async () => {
  const { token } = runs[0]!
  const { port } = home.daemon.registration()!
  const wrong = [
    { host: 'evil.example' },
    { host: `evil.example:${port}` },
    { host: `127.0.0.1.evil.example:${port}` },
    { host: '127.0.0.1' },
    { host: `127.0.0.1:${port + 1}` },
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { origin: `https://127.0.0.1:${port}` },
    { origin: `http://127.0.0.1:${port + 1}` },
  ]
  for (const headers of wrong)
    expect(await ask('/v1/session', token, headers)).toMatchObject({
      status: 403,
      body: { error: { code: 'host-refused' } },
    })
  const right = [
    { host: `localhost:${port}` },
    { origin: `http://localhost:${port}` },
    { origin: `http://127.0.0.1:${port}` },
  ]
  for (const headers of right) expect((await ask('/v1/session', token, headers)).status).toBe(200)
})

test('a client that was cleared speaks on from its pane under another id; nobody else speaks with its token [loopback-own-session]', async () => {
  const [token = '', other = ''] = runs.map(run => run.token)
  const [session = '', theirs = ''] = [token, other].map(text => text.split('.')[0]!)
  const heir = randomUUID()
  const hook = (of: string) => ({
    session_id: of,
    cwd: home.project,
    hook_event_name: 'UserPromptSubmit',
    prompt: 'go on',
  })
  const speaks = async (of: string, pane: string, as = token) =>
    (await ask('/v1/hook', as, { 'x-rehoboam-pane': pane }, 'POST', undefined, hook(of))).status
  expect(await speaks(heir, 'ours:%1')).toBe(403)
  expect(await speaks(session, 'ours:%1')).toBe(200)
  expect(await Promise.all([speaks(heir, 'ours:%2'), speaks(theirs, 'ours:%1')])).toEqual([403, 403])
  expect([await speaks(heir, 'ours:%1'), await speaks(heir, 'ours:%1')]).toEqual([200, 200])
  // Also when both say that they are in the same pane.
  expect([await speaks(theirs, 'ours:%1', other), await speaks(theirs, 'ours:%1')]).toEqual([200, 403])
})

test('a token is good across a restart of the daemon, on the same port [loopback-own-session]', async () => {
  await using own = await tempHome({
    scenario: turns({}, bash('echo $REHOBOAM_TOKEN > token'), say('Done.', { fault: { kind: 'hang' } })),
  })
  await keepPort(own)
  await spawnRun(own, 'One')
  const token = await untilLine(own.project, 'token')
  const { port } = own.daemon.registration()!
  await killDaemon(own)
  expect((await ask('/v1/session', token, {}, 'GET', port)).status).toBe(200)
  expect(
    linesOf(own.home, 'daemon.log').join('\n') +
      linesOf(join(own.home, 'runs', own.runs()[0]!, 'journal.ndjson')).join('\n'),
  ).not.toContain(token)
})

type Answer = {
  status: number
  body: { session: string; run: { id: string; status: string }; error: { code: string } }
}

function ask(
  path: string,
  token: string | null,
  headers: Record<string, string> = {},
  method = 'GET',
  port = home.daemon.registration()!.port,
  sends?: unknown,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const authorization = token === null ? {} : { authorization: `Bearer ${token}` }
    const sent = request(
      { host: '127.0.0.1', port, path, method, agent: false, headers: { ...authorization, ...headers } },
      answer => {
        let text = ''
        answer.setEncoding('utf8').on('data', part => {
          text += part
        })
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: text ? JSON.parse(text) : null }))
      },
    )
    sent.on('error', reject)
    sent.end(sends && JSON.stringify(sends))
  })
}
