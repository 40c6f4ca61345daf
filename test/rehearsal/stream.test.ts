import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseStreamLine, type StreamLine } from '../../src/contract/stream.ts'
import { TEXT_LIMIT } from '../../src/contract/stream-fields.ts'
import fc from '../support/laws.ts'
import { PLAYS_ALL } from '../support/plays-all.ts'

const fixtures = join(import.meta.dirname, '../fixtures')
const recorded = (name: string): StreamLine[] =>
  readFileSync(join(fixtures, name), 'utf8').trim().split('\n').map(parseStreamLine)
const parse = (line: unknown) => parseStreamLine(JSON.stringify(line))

describe('what the real client wrote', () => {
  test('a session with one tool reads as init, text, call, result, text, result [stream-recorded]', () => {
    const lines = recorded('stream/one-tool.ndjson')
    expect(lines.map(kinds)).toEqual([
      'init',
      'assistant text',
      'assistant tool-use',
      'tool-results',
      'assistant text',
      'result',
    ])
    expect(lines[2]).toMatchObject({ blocks: [{ name: 'Bash', input: { command: 'echo hello' } }], parent: null })
    expect(lines[3]).toMatchObject({ results: [{ id: 'toolu_msg_1_0', isError: false, text: 'hello' }] })
    expect(lines.at(-1)).toMatchObject({
      text: 'Seen.',
      isError: false,
      turns: 2,
      terminalReason: 'completed',
      costUsd: 0.0016,
    })
  })

  test('a rate limit reads as a retry, a word in the model’s place, and a failed result [stream-recorded]', () => {
    const [, retry, word, result] = recorded('stream/429-without-end.ndjson')
    expect(retry).toMatchObject({ type: 'api-retry', attempt: 1, maxRetries: 1, errorStatus: 429, error: 'rate_limit' })
    expect(word).toMatchObject({ type: 'assistant', model: '<synthetic>', error: 'rate_limit' })
    expect(result).toMatchObject({ isError: true, terminalReason: 'api_error', apiErrorStatus: 429, costUsd: 0 })
  })

  test('a used-up plan tells the moment from which it is worth trying again [stream-recorded]', () => {
    const limit = recorded('stream/429-for-a-subscriber.ndjson').find(line => line.type === 'rate-limit')
    expect(limit).toMatchObject({ status: 'rejected', limit: 'five_hour', resetsAtMs: 1000 })
  })

  test('background work is listed while it runs, and its turn ends with a second result [stream-recorded]', () => {
    const lines = recorded('stream/a-command-in-the-background.ndjson')
    const tasks = lines.flatMap(line => (line.type === 'background-tasks' ? [line.tasks] : []))
    const one = { id: 'b00000001', type: 'local_bash', status: 'running', description: 'something long' }
    expect(tasks).toEqual([[one], []])
    expect(lines.flatMap(line => (line.type === 'result' ? [line.index] : []))).toEqual([0, 1])
  })

  test('denied tools are counted, and a used-up budget has its own ending [stream-recorded]', () => {
    expect(recorded('stream/permissions-nobody-is-there-to-give.ndjson').at(-1)).toMatchObject({ permissionDenials: 6 })
    const broke = {
      subtype: 'error_max_budget_usd',
      terminalReason: 'budget_exhausted',
      text: 'Reached maximum budget ($0.001)',
    }
    expect(recorded('stream/a-budget-that-is-used-up.ndjson').at(-1)).toMatchObject({ ...broke, isError: true })
  })

  test('no line of any recording is garbage, and each names its session [stream-recorded]', () => {
    const files = [
      ...readdirSync(join(fixtures, 'stream')).map(f => `stream/${f}`),
      'facts/stream-bash.ndjson',
      'facts/stream-signal-back.ndjson',
    ]
    for (const line of files.flatMap(recorded)) {
      expect(line.type).not.toBe('garbage')
      expect(line).toHaveProperty('session', expect.stringMatching(/^[0-9a-f-]{36}$/))
    }
  })
})

describe('what no client has written yet', () => {
  test('an unknown line is kept by its name [stream-garbage]', () => {
    expect(parse({ type: 'system', subtype: 'weather', session_id: 's' })).toEqual({
      type: 'other',
      name: 'system/weather',
      session: 's',
    })
    expect(parse({ type: 'dream' })).toEqual({ type: 'other', name: 'dream', session: undefined })
    expect(parse({})).toEqual({ type: 'other', name: 'unknown', session: undefined })
  })

  test('a known line without a session is kept as unknown, because nobody can be given it [stream-garbage]', () => {
    expect(parse({ type: 'result', total_cost_usd: 3 })).toEqual({ type: 'other', name: 'result', session: undefined })
  })

  test('an unknown content block is kept by its name [stream-garbage]', () => {
    const line = parse({
      type: 'assistant',
      session_id: 's',
      message: { content: [{ type: 'hologram' }, { type: 'text', text: 'hi' }] },
    })
    expect(line).toMatchObject({
      blocks: [
        { kind: 'other', name: 'hologram' },
        { kind: 'text', text: 'hi' },
      ],
    })
  })

  test.each(['', '   ', 'Killed', '{"type":"resu', '[1,2]', 'null', '"text"'])(
    '%j is garbage, with a reason [stream-garbage]',
    line => {
      expect(parseStreamLine(line)).toEqual({ type: 'garbage', reason: expect.stringMatching(/./) })
    },
  )

  test('fields of the wrong type become their defaults [stream-garbage]', () => {
    const line = parse({
      type: 'result',
      session_id: 's',
      total_cost_usd: '12',
      num_turns: null,
      usage: 7,
      result: { a: 1 },
      is_error: 'yes',
      permission_denials: 'none',
    })
    expect(line).toMatchObject({
      type: 'result',
      costUsd: 0,
      turns: 0,
      usage: undefined,
      text: '',
      isError: false,
      permissionDenials: 0,
    })
    expect(parse({ type: 'assistant', session_id: 's', message: 'hello' })).toMatchObject({
      type: 'other',
      name: 'assistant',
    })
  })

  test('nobody earns money by a negative cost [stream-garbage]', () => {
    const models = { a: { costUSD: -5 }, b: { costUSD: 2 } }
    expect(
      parse({ type: 'result', session_id: 's', total_cost_usd: -3, model_usage_since_last_result: models }),
    ).toMatchObject({ costUsd: 0, costSinceUsd: 2 })
  })
})

describe('what is too much', () => {
  test('a long text is cut, and says so [stream-garbage]', () => {
    const line = parse({
      type: 'user',
      session_id: 's',
      message: { content: [{ type: 'tool_result', tool_use_id: 't', content: 'x'.repeat(TEXT_LIMIT + 5) }] },
    })
    expect(line).toMatchObject({ results: [{ text: expect.stringMatching(/x\.\.\. \(5 more characters\)$/) }] })
  })

  test('an input of any depth and width is bounded [stream-garbage]', () => {
    const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`
    const wide = JSON.stringify(Array.from({ length: 5000 }, (_, n) => n))
    const line = parseStreamLine(
      `{"type":"assistant","session_id":"s","message":{"content":[{"type":"tool_use","id":"t","name":"X","input":{"deep":${deep},"wide":${wide}}}]}}`,
    )
    expect(JSON.stringify(line).length).toBeLessThan(20_000)
  })

  test('a line that nobody should hold in memory is refused unread [stream-garbage]', () => {
    expect(parseStreamLine(`{"type":"x","pad":"${'y'.repeat(33 * 1024 * 1024)}"}`)).toMatchObject({ type: 'garbage' })
  })
})

describe('whatever comes', () => {
  const names = fc.constantFrom('system', 'assistant', 'user', 'result', 'rate_limit_event', 'stream_event')
  const subtypes = fc.constantFrom('init', 'api_retry', 'background_tasks_changed', 'success', undefined)
  const fields = fc.dictionary(
    fc.constantFrom(
      'message',
      'tasks',
      'tools',
      'mcp_servers',
      'usage',
      'errors',
      'result',
      'rate_limit_info',
      'model_usage_since_last_result',
      'total_cost_usd',
    ),
    fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.record({
        content: fc.array(
          fc.dictionary(fc.constantFrom('type', 'text', 'input', 'content', 'id'), fc.jsonValue({ maxDepth: 2 })),
        ),
      }),
    ),
  )

  test('any text parses to something, and nothing throws [stream-garbage]', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), text => {
        expect(parseStreamLine(text).type).toMatch(/^(garbage|other)$/)
      }),
    )
  })

  test('any JSON in the place of a line gives finite figures, and nothing throws [stream-garbage]', () => {
    fc.assert(
      fc.property(names, subtypes, fields, (type, subtype, rest) => {
        const line = parse({ ...rest, type, subtype, session_id: 's' })
        // NaN and Infinity become null on their way through JSON, and then no ledger adds up.
        const amounts = Object.values(line).filter(value => typeof value === 'number')
        expect(amounts.every(value => Number.isFinite(value) && value >= 0)).toBe(true)
        expect(() => JSON.stringify(line)).not.toThrow()
      }),
      { numRuns: PLAYS_ALL ? 200 : 40 },
    )
  })
})

function kinds(line: StreamLine): string {
  return line.type === 'assistant' ? `assistant ${line.blocks.map(b => b.kind).join(' ')}` : line.type
}
