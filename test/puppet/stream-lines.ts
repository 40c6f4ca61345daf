import { randomUUID } from 'node:crypto'
import { errorName, type Failure, retryName } from './failure.ts'
import { type Content, NO_USAGE, type Usage } from './message.ts'
import type { Retry } from './retry.ts'
import type { Result } from './toolbox.ts'

// The lines between a turn's first and its last, in the client's own shapes.
type Line = Record<string, unknown>

export function blockLine(id: string, model: string, block: Content, usage: Usage): Line {
  const message = { ...messageHead(id, model), content: [block], stop_reason: null, stop_sequence: null, usage }
  return { type: 'assistant', message, parent_tool_use_id: null, timestamp: now() }
}

/** The client speaks in the model's place. */
export function syntheticLine(text: string, failure: Failure): Line {
  const content = [{ type: 'text', text }]
  const ended = { stop_reason: 'stop_sequence', stop_sequence: '', usage: NO_USAGE }
  const message = { ...messageHead(randomUUID(), '<synthetic>'), content, ...ended }
  const error = errorName(failure)
  return { type: 'assistant', message, parent_tool_use_id: null, error, is_api_error_message: true, timestamp: now() }
}

export function retryLine({ attempt, delayMs, failure }: Retry, maxRetries: number): Line {
  return {
    type: 'system',
    subtype: 'api_retry',
    attempt,
    max_retries: maxRetries,
    retry_delay_ms: delayMs,
    error_status: failure.kind === 'status' ? failure.status : null,
    error: retryName(failure),
  }
}

export function denialLine(denial: Line): Line {
  return { type: 'system', subtype: 'permission_denied', ...denial }
}

export function resultsLine(content: Content, { outcome, meta }: Result): Line {
  return {
    type: 'user',
    message: { role: 'user', content: [content] },
    parent_tool_use_id: null,
    timestamp: now(),
    tool_use_result: outcome.detail,
    ...(meta ? { tool_result_meta: [meta] } : {}),
  }
}

/** The client speaks in the user's place. */
export function remarkLine(text: string, more: Line = {}): Line {
  const message = { role: 'user', content: [{ type: 'text', text }] }
  return { type: 'user', message, parent_tool_use_id: null, timestamp: now(), ...more }
}

export function limitLine(info: Line): Line {
  return { type: 'rate_limit_event', rate_limit_info: { ...info, isUsingOverage: false } }
}

function messageHead(id: string, model: string) {
  return { id, type: 'message', role: 'assistant', model }
}

function now(): string {
  return new Date().toISOString()
}
