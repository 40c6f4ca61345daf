import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startModel } from '../../src/rehearsal/model.ts'
import { overloaded, rateLimited, say, tool } from '../../src/rehearsal/replies.ts'
import { post, user } from './messages-api.ts'

const HI = [user('hi')]

describe('what it says', () => {
  test('a stream has the API’s events in the API’s order [rehearsal-stream]', async () => {
    await using model = await startModel([
      { reply: { text: 'look', tools: [tool('Bash', { command: 'ls' }), tool('Read', {}, 'mine')] } },
    ])
    const { events, headers } = await post(model, HI)
    expect(headers.get('content-type')).toBe('text/event-stream')
    const block = ['content_block_start', 'content_block_delta', 'content_block_stop']
    expect(events.map(e => e.type)).toEqual([
      'message_start',
      ...block,
      ...block,
      ...block,
      'message_delta',
      'message_stop',
    ])
    expect(events[4]).toMatchObject({ index: 1, content_block: { type: 'tool_use', name: 'Bash', input: {} } })
    expect(events[7]).toMatchObject({ index: 2, content_block: { id: 'mine' } })
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use' } })
  })

  test('without a stream the same message comes in one piece, with the usage it was told [rehearsal-stream]', async () => {
    await using model = await startModel([{ reply: say('whole', { usage: { input: 7, output: 3, cacheRead: 5 } }) }])
    const message = JSON.parse((await post(model, HI, { stream: false })).raw)
    expect(message).toMatchObject({
      role: 'assistant',
      stop_reason: 'end_turn',
      content: [{ type: 'text', text: 'whole' }],
    })
    expect(message.usage).toEqual({
      input_tokens: 7,
      output_tokens: 3,
      cache_read_input_tokens: 5,
      cache_creation_input_tokens: 0,
    })
  })

  test('a slow stream comes in small pieces that add up [rehearsal-stream]', async () => {
    await using model = await startModel([{ reply: say('a long sentence', { pace: { chars: 4, delayMs: 1 } }) }])
    const { events, text } = await post(model, HI)
    expect(text).toBe('a long sentence')
    expect(events.filter(e => e.type === 'content_block_delta')).toHaveLength(4)
  })

  test('anything else on the address is not found [rehearsal-stream]', async () => {
    await using model = await startModel([])
    const paths = ['/v1/messages/count_tokens', '/v1/models', '/']
    for (const path of paths) expect((await fetch(model.url + path, { method: 'POST', body: '{}' })).status).toBe(404)
    expect((await fetch(`${model.url}/v1/messages`)).status).toBe(404)
    expect((await fetch(`${model.url}/v1/messages`, { method: 'POST', body: 'not json' })).status).toBe(400)
    expect(model.asked).toEqual([])
  })
})

describe('what goes wrong on purpose', () => {
  test('a 429 tells the moment of its reset as the API does [rehearsal-429]', async () => {
    await using model = await startModel([{ reply: rateLimited({ resetInSeconds: 600, retryAfterSeconds: 30 }) }])
    const { status, headers, raw } = await post(model, HI)
    expect(status).toBe(429)
    expect(JSON.parse(raw)).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } })
    expect(headers.get('retry-after')).toBe('30')
    expect(headers.get('anthropic-ratelimit-requests-reset')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    const inSeconds = Number(headers.get('anthropic-ratelimit-unified-reset')) - Date.now() / 1000
    expect(inSeconds).toBeGreaterThan(590)
    expect(inSeconds).toBeLessThan(610)
  })

  test('529, and any other status with any error, can be had [rehearsal-429]', async () => {
    await using model = await startModel([
      { times: 1, reply: overloaded() },
      { reply: { status: 418, error: { type: 'teapot', message: 'short' } } },
    ])
    expect(JSON.parse((await post(model, HI)).raw).error.type).toBe('overloaded_error')
    const second = await post(model, HI)
    expect([second.status, JSON.parse(second.raw).error]).toEqual([418, { type: 'teapot', message: 'short' }])
  })

  test.each(['start', 'middle'] as const)('a connection is reset at the %s [rehearsal-429]', async at => {
    await using model = await startModel([{ reply: say('half', { fault: { kind: 'reset', at } }) }])
    await expect(post(model, HI)).rejects.toThrow(/fetch failed|terminated/)
  })

  test.each(['start', 'middle'] as const)(
    'a reply hangs at the %s until it is released by name [rehearsal-429]',
    async at => {
      await using model = await startModel([{ reply: say('at last', { fault: { kind: 'hang', at, name: 'gate' } }) }])
      const waiting = post(model, HI)
      await model.waitFor(() => true)
      expect(model.release('another')).toBe(0)
      expect(model.release('gate')).toBe(1)
      expect((await waiting).text).toBe('at last')
    },
  )

  test('closing the model ends what hangs, and nothing is left behind [rehearsal-429]', async () => {
    const model = await startModel([{ reply: say('never', { fault: { kind: 'hang' } }) }])
    const waiting = post(model, HI).catch(() => 'ended')
    await model.waitFor(() => true)
    await model.close()
    expect(await waiting).toBe('ended')
    await expect(fetch(model.url)).rejects.toThrow()
  })

  test('streams can be cut, broken, strange, unfinished, empty, or no stream at all [rehearsal-429]', async () => {
    await using model = await startModel()
    const said = async (
      how: 'truncated' | 'bad-json' | 'unknown-event' | 'no-message-stop' | 'empty' | 'not-a-stream',
    ) => {
      model.says({ times: 1, reply: say('text', { fault: { kind: 'malformed', how } }) })
      return post(model, HI)
    }
    expect((await said('truncated')).raw).toMatch(/"type":"con$/)
    expect((await said('bad-json')).events.map(e => e.type)).toContain('unreadable')
    expect((await said('unknown-event')).events.map(e => e.type)).toContain('weather_report')
    expect((await said('no-message-stop')).events.at(-1)!.type).toBe('message_delta')
    expect((await said('empty')).raw).toBe('')
    expect((await said('not-a-stream')).headers.get('content-type')).toBe('text/html')
  })
})

describe('what it remembers', () => {
  test('who asked, what, and when; of a key only that there was one [rehearsal-record]', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rehoboam-model-'))
    const recordFile = join(folder, 'asked.ndjson')
    await using model = await startModel([{ reply: say('ok') }], { recordFile })
    const headers = {
      'x-api-key': 'very-secret',
      'x-claude-code-session-id': 's-1',
      'x-secret-header': 'very-secret',
      'user-agent': 'claude-cli/9',
    }
    await post(model, [user('[rehoboam run=r1 role=worker]\nhi')], { system: 'Be kind.' }, headers)
    await post(model, [user('hi')], {}, { authorization: 'Bearer very-secret' })
    expect(model.asked).toMatchObject([
      {
        number: 1,
        turn: 0,
        session: 's-1',
        credential: 'x-api-key',
        system: 'Be kind.',
        tools: ['Bash'],
        model: 'claude-test',
        answered: 'message',
      },
      { number: 2, credential: 'authorization', session: undefined },
    ])
    expect(model.asked[0]!.headers).toEqual({ 'user-agent': 'claude-cli/9' })
    const written = readFileSync(recordFile, 'utf8')
    expect(
      written
        .trim()
        .split('\n')
        .map(line => JSON.parse(line).number),
    ).toEqual([1, 2])
    expect(written + JSON.stringify(model.asked)).not.toContain('very-secret')
    await rm(folder, { recursive: true })
  })

  test('a long history is kept short [rehearsal-record]', async () => {
    await using model = await startModel([{ reply: say('ok') }])
    await post(
      model,
      Array.from({ length: 1000 }, (_, n) => user(`${n} ${'x'.repeat(30_000)}`)),
    )
    expect(JSON.stringify(model.asked[0]).length).toBeLessThan(6_000_000)
    expect(model.asked[0]!.messages.at(-1)).toMatchObject({
      content: expect.stringMatching(/^999 x+\.\.\. \(\d+ more characters\)$/),
    })
  })

  test('one can wait for a question, past or coming; in vain, it says what was asked instead [rehearsal-record]', async () => {
    await using model = await startModel([{ reply: say('ok') }])
    const coming = model.waitFor(a => a.prompt === 'second')
    await post(model, [user('first')])
    await post(model, [user('second')])
    expect((await coming).number).toBe(2)
    expect((await model.waitFor(a => a.prompt === 'first')).number).toBe(1)
    await expect(model.waitFor(a => a.prompt === 'third', 20)).rejects.toThrow(
      /no such request within 20 ms; asked so far: 1\. turn 0 "first"/,
    )
  })

  test('a hundred clients at once are each answered with their own [rehearsal-record]', async () => {
    const rules = Array.from({ length: 100 }, (_, n) => ({ when: { task: `T-${n}` }, reply: say(`answer ${n}`) }))
    await using model = await startModel(rules)
    const said = await Promise.all(rules.map((_, n) => post(model, [user(`[rehoboam run=r task=T-${n}]\nhi`)])))
    expect(said.map(s => s.text)).toEqual(rules.map((_, n) => `answer ${n}`))
  })
})
