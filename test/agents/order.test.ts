import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { NO_SURROUNDINGS } from '../../src/contract/agent.ts'
import { parseHook } from '../../src/contract/hook.ts'
import { parseStreamLine } from '../../src/contract/stream.ts'
import { parseTranscriptLine } from '../../src/contract/transcript.ts'
import { statusOf } from '../../src/core/agent/agent-status.ts'
import { type AgentFacts, newAgent } from '../../src/core/agent/facts.ts'
import { hear } from '../../src/core/agent/hear.ts'
import { hearStream } from '../../src/core/agent/hear-stream.ts'
import { lightEvent } from '../../src/core/agent/light.ts'
import { type Course, happened, happenedAll, heard, newCourse } from '../../src/core/agent/order.ts'
import { NOT_READ, readLine } from '../../src/core/agent/witness.ts'

type Payload = Record<string, unknown>
/** A hook, and the second in which its client started it. */
type Hook = [second: number, name: string, fields?: Payload]

const START = 1_000_000_000
const GO = ['UserPromptSubmit', { prompt: 'go' }] as const
const CALL = { tool_name: 'Bash', tool_input: { command: 'x' }, tool_use_id: 'a' }
const BY = { agent_id: 's1', agent_type: 'Explore' }

/** What is known when these hooks were heard one after the other, some milliseconds apart. */
function told(hooks: readonly Hook[], course: Course | null = null, from = START + 60_000): Course {
  return hooks.reduce<Course>(
    (before, [second, name, fields], n) => {
      const event = parseHook({ session_id: 's', cwd: '/p', hook_event_name: name, ...fields })!
      const at = START + second * 1_000
      const change = (facts: AgentFacts) => hear(facts, lightEvent(event, facts), NO_SURROUNDINGS, at)
      return heard(before, at, from + n * 10, change)
    },
    course ?? newCourse(newAgent('s', START + hooks[0]![0] * 1_000)),
  )
}

const standing = ({ facts }: Course, second = 60) => statusOf(facts, START + second * 1_000)

function recorded(file: string): Hook[] {
  const lines = readFileSync(join(import.meta.dirname, '../fixtures/facts', file), 'utf8')
    .trim()
    .split('\n')
  return lines.map((line, n) => {
    const payload = JSON.parse(line)
    return [n / 2, payload.hook_event_name, payload]
  })
}

const LIFE: Hook[] = [
  [0, 'SessionStart', { source: 'startup', model: 'm' }],
  [1, ...GO],
  [2, 'PreToolUse', CALL],
  [3, 'PermissionRequest', CALL],
  [4, 'PostToolUse', { ...CALL, duration_ms: 5 }],
  [5, 'StopFailure', { error: 'rate_limit' }],
  [6, ...GO],
  [7, 'SubagentStart', BY],
  [8, 'PreToolUse', { ...BY, ...CALL, tool_use_id: 'b' }],
  [9, 'PostToolUseFailure', { ...BY, ...CALL, tool_use_id: 'b' }],
  [10, 'SubagentStop', BY],
  [11, 'PreCompact'],
  [12, 'PostCompact'],
  [13, 'Stop', { last_assistant_message: 'Done.', background_tasks: [] }],
  [14, 'SessionEnd', { reason: 'other' }],
]

test.for([
  ['the real client, with a subagent', recorded('hooks.ndjson')],
  ['the real client, with a team', recorded('hooks-team.ndjson')],
  ['one that fails, goes on, delegates and compacts', LIFE],
] as const)(
  'of %s the same is known when any two hooks were heard the other way round, or all of them [hook-order]',
  ([, hooks]) => {
    const inOrder = told(hooks)
    expect(told(hooks.toReversed()).facts).toEqual(inOrder.facts)
    for (let n = 1; n < hooks.length; n++) {
      const swapped = hooks.with(n - 1, hooks[n]!).with(n, hooks[n - 1]!)
      // At each point of it, not only at the end.
      for (let length = n + 1; length <= hooks.length; length++) {
        expect(told(swapped.slice(0, length)).facts).toEqual(told(hooks.slice(0, length)).facts)
      }
    }
  },
)

test('a prompt that is heard after the question that it led to leaves it open [hook-order]', () => {
  expect(standing(told([[2, 'PreToolUse', CALL], [3, 'PermissionRequest', CALL], [1, ...GO]]))).toMatchObject({ status: 'attention', reason: 'Bash: x (asked 57 s ago)' }) // biome-ignore format: one line
})

test('a failure, an end and a rest stay when what came before them is heard later [hook-order]', () => {
  const turn: Hook[] = [[1, ...GO], [2, 'PreToolUse', CALL], [3, 'PostToolUse', CALL]] // biome-ignore format: one line
  const last: [Hook, string][] = [
    [[4, 'StopFailure', { error: 'rate_limit' }], 'failed'],
    [[4, 'SessionEnd', { reason: 'other' }], 'done'],
    [[4, 'Stop'], 'waiting'],
  ]
  for (const [end, status] of last) expect(standing(told([end, ...turn])).status).toBe(status)
  // What they tell is not lost.
  expect(told([last[2]![0], ...turn]).facts.recent).toMatchObject([{ name: 'Bash', at: START + 3_000 }])
})

test('a late start of a session undoes nothing, and a late end does not end one that was resumed [hook-order]', () => {
  const start: Hook = [1, 'SessionStart', { source: 'startup', model: 'm' }]
  expect(told([[3, 'StopFailure', { error: 'rate_limit' }], start]).facts).toMatchObject({ end: { how: 'failed' }, model: 'm', startedAt: START + 1_000 }) // biome-ignore format: one line
  expect(standing(told([[3, 'SessionStart', { source: 'resume' }], [4, ...GO], [2, 'SessionEnd', { reason: 'clear' }]])).status).toBe('working') // biome-ignore format: one line
})

test('a subagent that has ended does not come back, and one that works again is not ended [hook-order]', () => {
  const { subagents, tools } = told([[4, 'SubagentStop', BY], [2, 'PreToolUse', { ...BY, ...CALL }]]).facts // biome-ignore format: one line
  expect({ subagents, tools }).toMatchObject({ subagents: [{ id: 's1', endedAt: START + 4_000 }], tools: [] })
  const again = told([[1, 'SubagentStart', BY], [3, 'SubagentStart', BY], [2, 'SubagentStop', BY]]) // biome-ignore format: one line
  expect(again.facts.subagents).toMatchObject([{ endedAt: null }])
})

test('a clock that is set back silences nobody, and what is too late for any order is believed [hook-order]', () => {
  const stopped = told([[1000, ...GO], [1001, 'Stop']], null, START + 1_001_000) // biome-ignore format: one line
  for (const back of [5, 900]) {
    const now = START + (1_002 - back) * 1_000
    expect(standing(told([[1_002 - back, ...GO]], stopped, now)).status).toBe('working')
  }
  expect(standing(told([[985, ...GO]], stopped, START + 1_002_000)).status).toBe('working')
  expect(standing(told([[987, ...GO]], stopped, START + 1_002_000)).status).toBe('waiting')
  // Nor has an agent begun in another year because one hook says so.
  expect(told([[-START / 1_000, ...GO]], stopped, START + 1_002_000).facts.startedAt).toBe(START + 1_000_000)
})

test('what a transcript says of earlier is earlier, whenever it is read [hook-order]', () => {
  const asking = told([[1, ...GO], [4, 'PermissionRequest', CALL]]) // biome-ignore format: one line
  const text = '[Request interrupted by user]'
  const line = parseTranscriptLine(
    JSON.stringify({ type: 'user', timestamp: new Date(START + 2_000).toISOString(), message: { content: text } }),
  )
  const read = (at: number) =>
    happened(asking, START + at, START + 60_500, facts => readLine(facts, NOT_READ, line).facts)
  expect(read(2_000).facts.prompts).toHaveLength(1)
  expect(read(5_000).facts.prompts).toEqual([])
})

test('a tool whose end is told before its beginning is heard does not run, whatever its hook’s clock says [hook-order]', () => {
  const results = { type: 'user', session_id: 's', message: { content: [{ type: 'tool_result', tool_use_id: 'a' }] } }
  const at = START + 3_000
  const written = { ...results, timestamp: new Date(at).toISOString() }
  const ends = [
    (facts: AgentFacts) => hearStream(facts, parseStreamLine(JSON.stringify(results)), at),
    (facts: AgentFacts) => readLine(facts, NOT_READ, parseTranscriptLine(JSON.stringify(written))).facts,
  ]
  for (const end of ends) {
    for (const who of [{}, BY]) {
      const ended = heard(told([[1, ...GO]]), at, START + 60_200, end)
      for (const second of [2, 4]) {
        const { facts } = told([[second, 'PreToolUse', { ...CALL, ...who }]], ended, START + 60_300)
        expect(facts.tools).toEqual([])
      }
      // The same id so much later is another call.
      expect(told([[20, 'PreToolUse', { ...CALL, ...who }]], ended).facts.tools).toHaveLength(1)
    }
  }
})

test('what is kept for late ones is bounded, and forgotten when none can come [hook-order]', () => {
  const flood = Array.from({ length: 300 }, (_, n): Hook => [n / 50, 'PreToolUse', { ...CALL, tool_use_id: `${n}` }])
  const course = told(flood)
  expect(course.lately.length).toBe(200)
  expect(told([[200, 'Stop']], course, START + 200_000).lately).toHaveLength(1)
  const large = { command: 'x'.repeat(100_000), list: Array(1_000).fill({ deep: [{}] }) }
  const event = parseHook({ session_id: 's', hook_event_name: 'PreToolUse', ...CALL, tool_input: large })!
  expect(JSON.stringify(lightEvent(event, { cwd: '', transcript: '' })).length).toBeLessThan(5_000)
})

test('of a long transcript that is read after its last hooks only the end is kept, and they are made again once [hook-order]', () => {
  const now = START + 60_000
  const stop = parseHook({ session_id: 's', cwd: '/p', hook_event_name: 'Stop' })!
  let made = 0
  const stopped = heard(newCourse(newAgent('s', START)), START + 50_000, now, facts => {
    made += 1
    return hear(facts, stop, NO_SURROUNDINGS, START + 50_000)
  })
  const said = { role: 'assistant', model: 'm', stop_reason: 'end_turn', usage: { input_tokens: 1, output_tokens: 1 } }
  const lines = [...Array.from({ length: 300 }, (_, n) => n * 100), 49_000, 51_000].map((ms, n) => {
    const timestamp = new Date(START + ms).toISOString()
    const line = parseTranscriptLine(JSON.stringify({ timestamp, message: { ...said, id: `${n}` } }))
    return { at: START + ms, change: (facts: AgentFacts) => readLine(facts, NOT_READ, line).facts }
  })
  const read = happenedAll(stopped, lines, now)
  expect({ made, kept: read.lately.length }).toEqual({ made: 3, kept: 3 })
  expect(read.facts).toEqual(lines.reduce((all, { at, change }) => happened(all, at, now, change), stopped).facts)
  // One that comes late undoes nothing of it.
  const late = told([[48, ...GO]], read, now)
  expect([late.facts.usage, standing(late).status]).toEqual([read.facts.usage, 'waiting'])
})
