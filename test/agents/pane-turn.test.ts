import { expect, test } from 'vitest'
import { parseTranscriptLine } from '../../src/contract/transcript.ts'
import { type AgentFacts, newAgent } from '../../src/core/agent/facts.ts'
import { reportOfPane } from '../../src/core/agent/pane-turn.ts'
import { pricesIn } from '../../src/core/agent/prices.ts'
import { NOT_READ, readLine } from '../../src/core/agent/witness.ts'

const line = (model: string) =>
  parseTranscriptLine(
    JSON.stringify({
      type: 'assistant',
      timestamp: '2026-11-16T00:00:00.000Z',
      message: {
        id: 'm',
        role: 'assistant',
        model,
        content: [],
        usage: { input_tokens: 1_000_000, output_tokens: 100_000 },
      },
    }),
  )
const after = (model: string, prices: string[] = []) =>
  readLine(newAgent('s', 0), NOT_READ, line(model), pricesIn(prices)).facts
const turn = { lookedAt: 60_000, since: 0, ownSince: 60_000, endsWithTurn: true }
const seen = (facts: AgentFacts, maxCostUsd: number | null) => reportOfPane({ ...turn, facts, maxCostUsd })

test('a pane whose model nobody knows the price of pauses a run that has a cost limit, and configuration can name it [loop-unpriced]', () => {
  expect(seen(after('somebody-else-1'), 100)).toMatchObject({ kind: 'result', why: 'unpriced', totalUsd: 0 })
  expect(seen(after('somebody-else-1'), null)).not.toMatchObject({ kind: 'result' })
  expect(seen(after('somebody-else-1', ['somebody-else=3/20']), 5)).toMatchObject({ why: 'max-cost', totalUsd: 5 })
  expect(seen(after('somebody-else-1', ['somebody-else=3/20']), 6)).not.toMatchObject({ kind: 'result' })
  // An earlier line of configuration outranks our own table.
  expect(after('claude-sonnet-5', ['claude-sonnet-5=100/100']).usage.sinceUsd).toBe(110)
})

test('a turn in a pane is over when its transcript shows that the cost limit is reached, and not before [loop-pane-budget]', () => {
  const facts = { ...after('somebody-else-1', ['somebody-else=3/20']), turn: { open: true, at: 0 } }
  expect(seen(facts, 5)).toMatchObject({ kind: 'result', why: 'max-cost', totalUsd: 5 })
  expect(seen(facts, 6)).not.toMatchObject({ kind: 'result' })
})

const prompted = { ...newAgent('s', 1_000), heard: true, promptedAt: 2_000, turn: { open: true, at: 2_000 } }
const refusal = parseTranscriptLine(
  JSON.stringify({
    type: 'assistant',
    timestamp: new Date(3_000).toISOString(),
    isApiErrorMessage: true,
    error: 'rate_limit',
    message: { role: 'assistant', model: '<synthetic>', stop_reason: 'stop_sequence', content: [] },
  }),
)

test('a limit that only the transcript of a pane tells of is a limit, and not the end of the turn [loop-limit]', () => {
  const { facts } = readLine(prompted, NOT_READ, refusal)
  const idle = { ...facts, client: { status: 'idle' as const, waitingFor: '', at: 3_050 } }
  expect(seen(idle, null)).toMatchObject({ kind: 'result', isError: true, why: 'limit' })
  // The turn before this one met it.
  expect(reportOfPane({ ...turn, since: 3_500, facts: idle, maxCostUsd: null })).toBe(null)
  const again = { ...idle, turn: { open: true, at: 4_000 }, promptedAt: 4_000 }
  expect(reportOfPane({ ...turn, lookedAt: 5_000, facts: again, maxCostUsd: null })).toEqual({ kind: 'working' })
  // A look at the transcript since then found no prompt behind it: the prompt's hook was heard late.
  expect(seen(again, null)).toMatchObject({ kind: 'result', why: 'limit' })
})

test('a daemon that was held up waits for its next look at the transcript before it calls a pane at rest or taken over [loop-limit] [loop-takeover]', () => {
  const rests = { ...prompted, client: { status: 'idle' as const, waitingFor: '', at: 3_050 } }
  const given = { ...rests, witness: { at: 2_000, says: 'working' as const, tools: [] } }
  const held = { ...turn, ownSince: 0, maxCostUsd: null, lookedAt: 2_900 }
  expect(reportOfPane({ ...held, facts: rests })).toEqual({ kind: 'working' })
  expect(reportOfPane({ ...held, facts: given })).toEqual({ kind: 'working' })
  expect(reportOfPane({ ...held, lookedAt: 60_000, facts: rests })).toEqual({ kind: 'stopped', running: 0 })
  expect(reportOfPane({ ...held, lookedAt: 60_000, facts: given })).toEqual({ kind: 'taken-over' })
})

test('a pane that somebody cleared is theirs; given back, its turn is over [loop-takeover]', () => {
  const turn = { lookedAt: 60_000, since: 1_000, ownSince: 0, maxCostUsd: null, endsWithTurn: true }
  const cleared = { ...newAgent('s', 2_000), heard: true, end: { how: 'ended' as const, why: 'clear', at: 5_000 } }
  expect(reportOfPane({ ...turn, facts: cleared })).toEqual({ kind: 'taken-over' })
  expect(reportOfPane({ ...turn, ownSince: 9_000, facts: cleared })).toEqual({ kind: 'stopped', running: 0 })
  const left = { ...cleared, end: { ...cleared.end, why: 'prompt_input_exit' } }
  expect(reportOfPane({ ...turn, facts: left })).toBe(null)
})

test('a client that notes that it is idle has not ended its turn before it was given its prompt, and an error of the turn before is not its own [loop-not-the-end]', () => {
  const turn = { lookedAt: 60_000, since: 1_000, ownSince: 0, maxCostUsd: null, endsWithTurn: true }
  const opened = { ...newAgent('s', 2_000), heard: true, turn: { open: true, at: 2_000 } }
  const idle = { ...opened, client: { status: 'idle' as const, waitingFor: '', at: 3_000 } }
  expect(reportOfPane({ ...turn, facts: idle })).toBe(null)
  expect(reportOfPane({ ...turn, facts: { ...idle, promptedAt: 500 } })).toBe(null)
  expect(reportOfPane({ ...turn, facts: { ...idle, promptedAt: 2_500 } })).toEqual({ kind: 'stopped', running: 0 })
  const failed = { ...opened, end: { how: 'failed' as const, why: 'rate_limit', at: 900 } }
  expect(reportOfPane({ ...turn, facts: failed })).toBe(null)
  expect(reportOfPane({ ...turn, since: 0, facts: failed })).toMatchObject({ kind: 'result', why: 'limit' })
})
