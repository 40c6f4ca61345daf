import { expect, test } from 'vitest'
import { bash, rateLimited, say, tool, turns, use } from '../../src/rehearsal/replies.ts'
import { parseScenario } from '../../src/rehearsal/scenario.ts'

test('a scenario survives JSON, whether it was written by hand or with the short words [rehearsal-data]', () => {
  const rules = [
    ...turns(
      { role: 'worker' },
      use(tool('Bash', { command: 'ls' }), tool('Read', { file_path: 'x' })),
      bash('true'),
      say('done'),
    ),
    { when: { prompt: 'again$' }, reply: rateLimited({ resetInSeconds: 60 }), times: 2 },
  ]
  const scenario = parseScenario(rules)
  expect(parseScenario(JSON.parse(JSON.stringify(scenario)))).toEqual(scenario)
  expect(scenario.rules).toHaveLength(4)
})

test('numbers and texts are the same in a first line [rehearsal-data]', () => {
  expect(parseScenario([{ when: { attempt: 2, iteration: '3' }, reply: {} }]).rules[0]!.when).toEqual({
    attempt: '2',
    iteration: '3',
  })
})

test.each([
  ['a misspelt key', [{ wehn: {}, reply: {} }], /rules\.0: .*wehn/],
  ['a misspelt condition', [{ when: { rol: 'x' }, reply: {} }], /rules\.0\.when: .*rol/],
  [
    'a pattern that is none',
    [{ when: { prompt: '(' }, reply: {} }],
    /rules\.0\.when\.prompt: is not a regular expression/,
  ],
  ['an unknown fault', [{ reply: { fault: { kind: 'sulk' } } }], /rules\.0\.reply\.fault/],
  ['an error that also speaks', [{ reply: { status: 429, text: 'hi' } }], /has a status and also a message/],
  ['a reset time without an error', [{ reply: { text: 'hi', resetInSeconds: 5 } }], /without a status/],
  ['a status that is no error', [{ reply: { status: 200 } }], /rules\.0\.reply\.status/],
  ['no reply', [{ when: {} }], /rules\.0\.reply/],
  ['something else', 'a poem', /scenario: /],
])('%s is refused with the place and the reason [rehearsal-data]', (_, source, complaint) => {
  expect(() => parseScenario(source)).toThrow(
    expect.objectContaining({ code: 'bad-scenario', message: expect.stringMatching(complaint) }),
  )
})
