import { describe, expect, test } from 'vitest'
import { SessionReport } from '../../src/contract/event.ts'
import { parseStreamLine } from '../../src/contract/stream.ts'
import { reportOf } from '../../src/core/session/session-report.ts'
import fc from '../support/laws.ts'

const line = (fields: Record<string, unknown>) => parseStreamLine(JSON.stringify({ session_id: 's', ...fields }))
const report = (fields: Record<string, unknown>) => reportOf(line(fields), 99)
const result = (fields: Record<string, unknown>) =>
  report({ type: 'result', subtype: 'success', is_error: false, num_turns: 2, ...fields })

describe('what a line of output means to a run', () => {
  test.for([
    ['a first line', { type: 'system', subtype: 'init', model: 'opus' }, { kind: 'init', offset: 99, model: 'opus' }],
    ['a first line without a model', { type: 'system', subtype: 'init' }, { kind: 'init', offset: 99, model: null }],
    [
      'background work',
      { type: 'system', subtype: 'background_tasks_changed', tasks: [{ id: 'a' }, { id: 'b', status: 'completed' }] },
      { kind: 'background', offset: 99, running: 1 },
    ],
    ['what an agent says', { type: 'assistant', message: { content: 'hello' } }, null],
    ['what nobody knows yet', { type: 'weather' }, null],
  ] as const)('%s [core-report]', ([, fields, wanted]) => {
    expect(report(fields)).toEqual(wanted)
  })

  test.for([
    [{}, 'ok'],
    [{ subtype: 'error_max_budget_usd', is_error: true }, 'max-cost'],
    [{ is_error: true, api_error_status: 429 }, 'limit'],
    [{ is_error: true, api_error_status: 529 }, 'overloaded'],
    [{ is_error: true, api_error_status: 401 }, 'auth'],
    [{ is_error: true, api_error_status: 403 }, 'auth'],
    [{ is_error: true, api_error_status: 500 }, 'outage'],
    [{ is_error: true, api_error_status: 503 }, 'outage'],
    [{ is_error: true, terminal_reason: 'api_error', api_error: 'connection_failed' }, 'outage'],
    [{ is_error: true, terminal_reason: 'api_error', api_error: 'stream_idle_timeout' }, 'outage'],
    [{ is_error: true, terminal_reason: 'api_error', api_error: 'max_output_tokens' }, 'api-error'],
    [{ is_error: true, terminal_reason: 'api_error', api_error: 'tls_untrusted_ca' }, 'api-error'],
    [{ is_error: true, api_error_status: 404 }, 'api-error'],
    [{ is_error: true, terminal_reason: 'api_error' }, 'api-error'],
    [{ is_error: true, terminal_reason: 'api_error', result: 'Not logged in · Please run /login' }, 'auth'],
    [{ is_error: true, terminal_reason: 'api_error', result: 'Login expired · Please run /login' }, 'auth'],
    [{ result: 'Not logged in · Please run /login' }, 'ok'],
    [{ is_error: true, subtype: 'error_during_execution' }, 'client-error'],
  ] as const)('a result with %j ended for: %s [core-report]', ([fields, why]) => {
    expect(result(fields)).toMatchObject({ kind: 'result', why })
  })

  test('the cost of a result is what was spent since the one before it, not the session’s total [core-cost-sum]', () => {
    const since = { model_usage_since_last_result: { opus: { costUSD: 0.25 }, haiku: { costUSD: 0.25 } } }
    expect(result({ total_cost_usd: 7, ...since })).toMatchObject({ costUsd: 0.5 })
    expect(result({ total_cost_usd: 7 })).toMatchObject({ costUsd: 7 })
  })

  test('no figure that a client writes makes a cost negative or infinite [core-cost-sum]', () => {
    const figure = fc.oneof(fc.double(), fc.constantFrom(1e308, -1e308, -0, 1e-320, '7', null))
    fc.assert(
      fc.property(fc.array(figure), figure, (costs, turns) => {
        const models = Object.fromEntries(costs.map((costUSD, n) => [`m${n}`, { costUSD }]))
        const told = SessionReport.parse(result({ num_turns: turns, model_usage_since_last_result: models }))
        expect(told.kind === 'result' && told.costUsd >= 0 && told.costUsd <= 1e9).toBe(true)
      }),
    )
  })

  test('whatever a line holds, what it means fits the journal [core-report]', () => {
    const fields = fc.dictionary(
      fc.constantFrom('type', 'subtype', 'model', 'tasks', 'is_error', 'num_turns', 'total_cost_usd', 'message'),
      fc.oneof(
        fc.jsonValue(),
        fc.constantFrom('system', 'result', 'init', 'background_tasks_changed', 'x'.repeat(500)),
      ),
    )
    fc.assert(
      fc.property(fields, fields => {
        const told = report(fields)
        if (told) expect(SessionReport.safeParse(told).error).toBeUndefined()
      }),
    )
  })
})
