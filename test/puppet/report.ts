import type { Conversation, Ending } from './conversation.ts'
import type { Failure } from './failure.ts'
import { offered } from './request-body.ts'
import type { Settings } from './settings.ts'
import { VERSION } from './version.ts'

/** The two lines around each turn: what the session is, and what came of it. */
export function initLine(settings: Settings): Record<string, unknown> {
  return {
    type: 'system',
    subtype: 'init',
    cwd: settings.cwd,
    tools: offered(settings),
    mcp_servers: settings.servers.map(({ name, status }) => ({ name, status, source: 'dynamic' })),
    model: settings.model,
    permissionMode: settings.mode,
    slash_commands: [],
    apiKeySource: settings.apiKey ? 'ANTHROPIC_API_KEY' : 'none',
    claude_code_version: VERSION,
    output_style: 'default',
    agents: [],
    skills: [],
    plugins: [],
  }
}

export function resultLine(
  conversation: Conversation,
  ending: Ending,
  settings: Settings,
  index: number,
  startedAt: number,
) {
  return {
    type: 'result',
    ...outcome(ending, settings),
    num_turns: conversation.turns,
    duration_ms: Date.now() - startedAt,
    duration_api_ms: 0,
    ...conversation.ledger.close(),
    permission_denials: conversation.denials,
    result_index: index,
  }
}

/** A session that could not even begin still says so in the stream. */
export function stillbornResult(sentence: string): Record<string, unknown> {
  return {
    type: 'result',
    subtype: 'error_during_execution',
    is_error: true,
    num_turns: 0,
    duration_ms: 0,
    duration_api_ms: 0,
    stop_reason: null,
    total_cost_usd: 0,
    usage: { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
    permission_denials: [],
    errors: [sentence],
  }
}

function outcome(ending: Ending, settings: Settings): Record<string, unknown> {
  switch (ending.how) {
    case 'completed':
      return {
        subtype: 'success',
        is_error: false,
        result: ending.text,
        ...(ending.structured ? { structured_output: ending.structured } : {}),
        stop_reason: ending.stopReason,
        terminal_reason: 'completed',
        api_error_status: null,
      }
    case 'failed':
      return {
        subtype: 'success',
        is_error: true,
        result: ending.text,
        stop_reason: 'stop_sequence',
        terminal_reason:
          ending.failure.kind === 'status' && ending.failure.status === 413 ? 'image_error' : 'api_error',
        api_error_status: ending.failure.kind === 'status' ? ending.failure.status : null,
        ...named(ending.failure),
      }
    case 'over-budget':
      return {
        subtype: 'error_max_budget_usd',
        is_error: true,
        stop_reason: ending.stopReason,
        terminal_reason: 'budget_exhausted',
        errors: [`Reached maximum budget ($${settings.maxBudgetUsd})`],
      }
    case 'interrupted': {
      const stop_reason = ending.during === 'tools' ? 'tool_use' : null
      return {
        subtype: 'error_during_execution',
        is_error: true,
        stop_reason,
        terminal_reason: `aborted_${ending.during}`,
        errors: [`[ede_diagnostic] result_type=user last_content_type=n/a stop_reason=${stop_reason}`],
      }
    }
    case 'terminated':
      return {}
  }
}

/** What the status does not say, or says of more than one thing. */
function named(failure: Failure): Record<string, string> {
  if (failure.kind === 'connection') return { api_error: 'connection_failed' }
  return failure.kind === 'status' && failure.limit ? { api_error: 'usage_limit_reached' } : {}
}
