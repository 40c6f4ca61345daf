import { connect } from 'node:net'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, test } from 'vitest'
import { BODY_LIMIT } from '../../src/contract/body-limit.ts'
import { RehoboamError } from '../../src/contract/errors.ts'
import { QUEST_TOOLS, SIGNAL_KINDS } from '../../src/contract/quest-tools.ts'
import { until } from '../support/until.ts'
import { accept, type DeskDoor, deskDoor } from './desk-double.ts'

const COMPLETE = { signal: 'complete', stepId: 'build', summary: 'Built and tested.' }

test('a session is shown the tools and the signals of its role, with an object at the root of every schema [mcp-tools-by-role]', async () => {
  await using door = await deskDoor()
  const { tools } = await listed(door, door.session([...QUEST_TOOLS], [...SIGNAL_KINDS]).token)
  expect(tools.map(({ name }) => name)).toEqual(QUEST_TOOLS)
  for (const { inputSchema, _meta } of tools) {
    expect(inputSchema.type).toBe('object')
    expect(Object.keys(inputSchema)).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(any|one|all)Of$/)]))
    expect(_meta).toEqual({ 'anthropic/alwaysLoad': true })
  }
  const few = await listed(door, door.session(['signal-back', 'get-step'], ['complete', 'partially-complete']).token)
  expect(few.tools.map(({ name }) => name)).toEqual(['signal-back', 'get-step'])
  const properties = few.tools[0]!.inputSchema.properties as Record<string, { enum?: string[] }>
  expect(properties.signal?.enum).toEqual(['complete', 'partially-complete'])
  expect(Object.keys(properties).sort()).toEqual(['continuationPoint', 'progress', 'signal', 'stepId', 'summary'])
})

test('a call reaches the desk as the session whose token it carries, without fields that nobody knows [mcp-own-session]', async () => {
  await using door = await deskDoor()
  const [one, two] = [door.session(['signal-back']), door.session(['signal-back'])]
  const answer = await called(door, one.token, 'signal-back', { ...COMPLETE, session: two.session, extra: 1 })
  expect(answer).toEqual({ content: [{ type: 'text', text: 'signal-back: noted.' }], isError: false })
  expect(door.heard).toEqual([{ tool: 'signal-back', session: one.session, input: COMPLETE }])
})

test('a refusal is a result that the model reads, and it says what is wrong [mcp-refusal-teaches]', async () => {
  await using door = await deskDoor(() => ({ accepted: false, text: 'you work on step build, not on deploy' }))
  const { token } = door.session(['signal-back', 'set-steps'])
  const refusals: [string, object, RegExp][] = [
    ['signal-back', { ...COMPLETE, stepId: 'deploy' }, /^you work on step build, not on deploy$/],
    ['signal-back', { signal: 'complete', stepId: 'build' }, /nothing has changed: summary: /],
    ['signal-back', { signal: 'finished', stepId: 'build' }, /nothing has changed: signal: .*complete/],
    ['signal-back', { ...COMPLETE, summary: 'x'.repeat(20_001) }, /summary: .*20000/],
    ['signal-back', { ...COMPLETE, stepId: '../../etc' }, /stepId: a step id has letters/],
    ['set-steps', { steps: [{ id: 'a', title: 'A' }] }, /steps\.0\.text: /],
    ['set-requirements', { requirements: [] }, /not a tool of your role; yours are signal-back, set-steps/],
    ['rm-rf', {}, /there is no such tool; yours are signal-back, set-steps/],
  ]
  for (const [tool, input, why] of refusals) {
    const { isError, content } = await called(door, token, tool, input)
    expect([isError, content[0]!.text]).toEqual([true, expect.stringMatching(why)])
  }
  expect(door.heard).toHaveLength(1)
})

test('an answer that could not be given says so to the model; only what is our fault is logged [mcp-refusal-teaches]', async () => {
  const faults = [new RehoboamError('journal-write', 'the disk is full; call again'), new Error('secret detail')]
  await using door = await deskDoor(() => {
    throw faults.shift()
  })
  const { token } = door.session(['signal-back'])
  const first = await called(door, token, 'signal-back', COMPLETE)
  expect(first).toMatchObject({ isError: true, content: [{ text: 'Not done: the disk is full; call again' }] })
  expect(door.logged).toEqual([])
  const second = await called(door, token, 'signal-back', COMPLETE)
  expect(second).toMatchObject({ isError: true, content: [{ text: expect.not.stringContaining('secret') }] })
  expect(door.logged).toEqual([expect.stringContaining('secret detail')])
})

test('a wrong token, host, method or body gets a 4xx with a sentence, and nothing happens [mcp-own-session]', async () => {
  await using door = await deskDoor()
  const { token } = door.session(['signal-back'])
  const call = message('tools/call', { name: 'signal-back', arguments: COMPLETE })
  const large = JSON.stringify({ ...JSON.parse(call), padding: 'x'.repeat(BODY_LIMIT) })
  const wrong: [number, string, Partial<Raw>][] = [
    [401, 'token', { token: '' }],
    [401, 'token', { token: `${token}x` }],
    [403, 'quest', { token: door.strangersToken() }],
    [403, '127.0.0.1', { headers: { origin: 'http://evil.example' } }],
    [405, 'posted', { method: 'GET', body: undefined }],
    [405, 'posted', { method: 'DELETE', body: undefined }],
    [400, 'JSON', { body: call.slice(0, -5) }],
    [400, 'JSON', { body: '' }],
    [400, 'one at a time', { body: `[${call},${call}]` }],
    [400, 'JSON-RPC', { body: '{"method":"tools/call"}' }],
    [400, 'JSON-RPC', { body: 'null' }],
    [413, 'bytes', { body: large }],
    [413, 'bytes', { body: inPieces(large) }],
    [406, 'accept', { headers: { accept: 'text/plain' } }],
    [415, 'Content-Type', { headers: { 'content-type': 'text/plain' } }],
  ]
  for (const [status, words, raw] of wrong) {
    const { status: got, text } = await post(door, { token, body: call, ...raw })
    expect([got, text]).toEqual([status, expect.stringContaining(words)])
  }
  expect(door.heard).toEqual([])
  for (const body of [call, inPieces(call)]) expect((await post(door, { token, body })).status).toBe(200)
})

test('a body that is too large is read to its end before it is refused, also in pieces [mcp-own-session]', async () => {
  await using door = await deskDoor()
  const large = 'x'.repeat(10 * BODY_LIMIT)
  const heads = [
    `Content-Length: ${large.length}\r\n\r\n`,
    `Transfer-Encoding: chunked\r\n\r\n${large.length.toString(16)}\r\n`,
  ]
  for (const [head, end] of [
    [heads[0], ''],
    [heads[1], '\r\n0\r\n\r\n'],
  ]) {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(door.port, '127.0.0.1')
      let text = ''
      // Reads nothing before everything is written, as many clients do.
      socket
        .pause()
        .write(`POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${door.port}\r\n${head}${large}${end}`, () => socket.resume())
      socket.on('data', part => {
        text += part
        if (text.includes('\r\n\r\n')) socket.end()
      })
      socket.on('error', reject).on('close', () => resolve(text))
    })
    expect(answer).toMatch(/^HTTP\/1.1 413 /)
  }
})

test('a method that nobody knows is answered with an error of the protocol at once [mcp-refusal-teaches]', async () => {
  await using door = await deskDoor()
  const { token } = door.session(['signal-back'])
  const { status, text } = await post(door, { token, body: message('server/discover', {}) })
  expect([status, JSON.parse(text).error.code]).toEqual([200, -32601])
})

test('two calls at once are both answered [mcp-refusal-teaches]', async () => {
  const held = Promise.withResolvers<void>()
  await using door = await deskDoor(async heard => {
    await held.promise
    return accept(heard)
  })
  const { token } = door.session(['signal-back'])
  const both = [1, 2].map(() => called(door, token, 'signal-back', COMPLETE))
  await until(() => door.heard.length === 2, 'both calls to be heard')
  held.resolve()
  for (const { isError } of await Promise.all(both)) expect(isError).toBe(false)
})

test('a sender that hangs up before its body is whole has said nothing [mcp-refusal-teaches]', async () => {
  await using door = await deskDoor()
  const { token } = door.session(['signal-back'])
  const call = message('tools/call', { name: 'signal-back', arguments: COMPLETE })
  const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${door.port}\r\nAuthorization: Bearer ${token}\r\n`
  const rest = `Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\nContent-Length: ${call.length}\r\n\r\n`
  await new Promise<void>((resolve, reject) => {
    const socket = connect(door.port, '127.0.0.1', () => socket.end(head + rest + call.slice(0, -10)))
    socket.on('error', reject).on('close', () => resolve())
    socket.resume()
  })
  expect((await post(door, { token, body: call })).status).toBe(200)
  expect(door.heard).toHaveLength(1)
})

async function connected(door: DeskDoor, token: string) {
  const client = new Client({ name: 'test', version: '0' })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(door.url), { requestInit }) as never)
  return client
}

async function listed(door: DeskDoor, token: string) {
  const client = await connected(door, token)
  return client.listTools().finally(() => client.close())
}

async function called(door: DeskDoor, token: string, name: string, input: object) {
  const client = await connected(door, token)
  const answer = await client.callTool({ name, arguments: { ...input } }).finally(() => client.close())
  return answer as { isError: boolean; content: { type: string; text: string }[] }
}

type Raw = { token: string; method: string; headers: Record<string, string>; body: string | ReadableStream | undefined }

async function post(door: DeskDoor, { token, method = 'POST', headers = {}, body }: Partial<Raw>) {
  const usual = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
  const answer = await fetch(door.url, {
    method,
    headers: { ...usual, authorization: `Bearer ${token}`, ...headers },
    ...(body === undefined ? {} : { body, duplex: 'half' }),
  } as RequestInit)
  return { status: answer.status, text: await answer.text() }
}

function message(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
}

function inPieces(text: string): ReadableStream {
  return new Blob([text]).stream()
}
