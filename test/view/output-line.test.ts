import { describe, expect, test } from 'vitest'
import { parseStreamLine } from '../../src/contract/stream.ts'
import { outputLines } from '../../src/view/output-line.ts'
import fc from '../support/laws.ts'

const lines = (fields: Record<string, unknown>) =>
  outputLines(parseStreamLine(JSON.stringify({ session_id: 's1', ...fields })))
const assistant = (content: unknown, more = {}) => lines({ type: 'assistant', message: { content }, ...more })

describe('a session’s output', () => {
  test.for([
    ['its start', { type: 'system', subtype: 'init', model: 'opus' }, [['note', 'session s1, model opus']]],
    [
      'a retry',
      { type: 'system', subtype: 'api_retry', error_status: 529, error: 'overloaded' },
      [['note', 'the model did not answer (529 overloaded), trying again']],
    ],
    [
      'its result',
      { type: 'result', subtype: 'success', num_turns: 5, duration_ms: 2100, total_cost_usd: 0.0032 },
      [['note', 'turn ended (success): 5 turns, 2 s, $0.0032']],
    ],
    [
      'a bad result',
      { type: 'result', subtype: 'error', is_error: true },
      [['fail', 'turn ended (error): 0 turns, 0 ms, $0']],
    ],
    [
      'a tool that failed',
      { type: 'user', message: { content: [{ type: 'tool_result', is_error: true, content: 'no\nsuch file' }] } },
      [['fail', 'failed: no such file']],
    ],
    ['a tool that worked', { type: 'user', message: { content: [{ type: 'tool_result', content: 'ok' }] } }, []],
    ['what we do not know', { type: 'weather' }, []],
  ] as const)('%s [view-output]', ([, fields, wanted]) => {
    expect(lines(fields).map(({ tone, text }) => [tone, text])).toEqual(wanted)
  })

  test('what an agent says keeps its lines; its thoughts are not shown [view-output]', () => {
    const content = [
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: '  one\n  two\n' },
      { type: 'text', text: ' ' },
    ]
    expect(assistant(content)).toEqual([{ tone: 'say', text: 'one\n  two' }])
  })

  test.for([
    [{ command: 'npm test\n# quietly', description: 'd' }, 'npm test # quietly'],
    [{ file_path: '/p/a.ts', content: 'x' }, '/p/a.ts'],
    [{ pattern: 'TODO' }, 'TODO'],
    [{ url: 'http://x' }, 'http://x'],
    [{ deep: { er: 1 } }, '{"deep":{"er":1}}'],
    [{}, '{}'],
  ] as const)('a tool call with %j tells the one thing that matters [view-output]', ([input, words]) => {
    expect(assistant([{ type: 'tool_use', name: 'Tool', input }])).toEqual([{ tone: 'tool', text: `Tool  ${words}` }])
  })

  test('what a subagent does stands a little to the right [view-output]', () => {
    const said = assistant([{ type: 'text', text: 'hello' }], { parent_tool_use_id: 't1' })
    expect(said).toEqual([{ tone: 'say', text: '  hello' }])
  })

  test('a line that is not the protocol is said to be unreadable [view-output]', () => {
    expect(outputLines(parseStreamLine('{"torn'))).toEqual([{ tone: 'fail', text: 'unreadable output: not JSON' }])
  })

  test('whatever a session writes, no control byte comes out [view-plain-text]', () => {
    const text = fc.constantFrom('\x1b[2J', '\x1b]0;t\x07', '\r', '\b', '\u202e', 'text', 'rm -rf', '\x9b1A')
    const nasty = fc.array(text, { maxLength: 6 }).map(parts => parts.join(''))
    const block = fc.oneof(
      fc.record({ type: fc.constant('text'), text: nasty }),
      fc.record({ type: fc.constant('tool_use'), name: nasty, input: fc.dictionary(nasty, nasty) }),
    )
    fc.assert(
      fc.property(fc.array(block), nasty, (content, other) => {
        const all = [
          ...assistant(content),
          ...lines({ type: 'system', subtype: 'init', model: other, session_id: other }),
          ...lines({ type: 'system', subtype: 'api_retry', error: other }),
          ...lines({ type: 'result', subtype: other, is_error: true }),
          ...lines({ type: 'user', message: { content: [{ type: 'tool_result', is_error: true, content: other }] } }),
        ]
        expect(all.map(line => line.text).join('')).not.toMatch(/[\p{Cc}--\n]|\u202e/v)
      }),
    )
  })
})
