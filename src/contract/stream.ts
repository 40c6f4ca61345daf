import { amount, cut, type Fields, input, isObject, LIST_LIMIT, list, number, objects, text } from './stream-fields.ts'
import type { BackgroundTask, Block, StreamLine, Usage } from './stream-line.ts'

export * from './stream-line.ts'

// One line of the client's `--output-format stream-json`, parsed once. The client changes every week: a line that we do
// not know is kept as `other`, a field of the wrong type becomes its default, and nothing in here throws.

// A line is parsed as a whole, so its size is the memory it costs. The client's own largest lines are images of a few MB.
const LINE_LIMIT = 32 * 1024 * 1024

export function parseStreamLine(line: string): StreamLine {
  if (line.length > LINE_LIMIT) return { type: 'garbage', reason: `a line of ${line.length} characters is too long` }
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return { type: 'garbage', reason: line.trim() === '' ? 'an empty line' : 'not JSON' }
  }
  if (!isObject(value)) return { type: 'garbage', reason: 'not a JSON object' }
  return known(value) ?? { type: 'other', name: name(value), session: text(value.session_id) }
}

function known(line: Fields): StreamLine | undefined {
  const session = text(line.session_id)
  // Without a session nothing can be done with it; it is kept as unknown instead of being given to somebody.
  if (session === undefined) return undefined
  switch (line.type) {
    case 'system':
      return system(line, session)
    case 'assistant':
      return assistant(line, session)
    case 'user':
      return toolResults(line, session)
    case 'result':
      return result(line, session)
    case 'rate_limit_event':
      return rateLimit(line, session)
    default:
      return undefined
  }
}

function system(line: Fields, session: string): StreamLine | undefined {
  switch (line.subtype) {
    case 'init':
      return {
        type: 'init',
        session,
        model: text(line.model) ?? '',
        permissionMode: text(line.permissionMode) ?? '',
        cwd: text(line.cwd),
        version: text(line.claude_code_version),
        tools: list(line.tools).flatMap(tool => text(tool) ?? []),
        mcpServers: objects(line.mcp_servers).map(s => ({ name: text(s.name) ?? '', status: text(s.status) ?? '' })),
      }
    case 'api_retry':
      return {
        type: 'api-retry',
        session,
        attempt: amount(line.attempt) ?? 0,
        maxRetries: amount(line.max_retries),
        errorStatus: number(line.error_status) ?? null,
        error: text(line.error) ?? 'unknown',
        retryDelayMs: amount(line.retry_delay_ms) ?? 0,
      }
    case 'background_tasks_changed':
      return { type: 'background-tasks', session, tasks: objects(line.tasks).map(backgroundTask) }
    default:
      return undefined
  }
}

function rateLimit(line: Fields, session: string): StreamLine | undefined {
  if (!isObject(line.rate_limit_info)) return undefined
  const info = line.rate_limit_info
  const seconds = amount(info.resetsAt)
  return {
    type: 'rate-limit',
    session,
    status: text(info.status) ?? '',
    limit: text(info.rateLimitType),
    resetsAtMs: seconds === undefined ? undefined : amount(seconds * 1000),
  }
}

function backgroundTask(task: Fields): BackgroundTask {
  return {
    id: text(task.task_id) ?? text(task.id) ?? '',
    type: text(task.task_type) ?? text(task.type) ?? '',
    // The client lists what runs, and says no more about it.
    status: text(task.status) ?? 'running',
    description: text(task.description) ?? '',
  }
}

function assistant(line: Fields, session: string): StreamLine | undefined {
  if (!isObject(line.message)) return undefined
  const message = line.message
  return {
    type: 'assistant',
    session,
    messageId: text(message.id),
    parent: text(line.parent_tool_use_id) ?? null,
    model: text(message.model),
    blocks:
      typeof message.content === 'string'
        ? [{ kind: 'text', text: cut(message.content) }]
        : objects(message.content).map(block),
    usage: usage(message.usage),
    error: text(line.error),
    at: text(line.timestamp),
  }
}

function block(from: Fields): Block {
  switch (from.type) {
    case 'text':
      return { kind: 'text', text: text(from.text) ?? '' }
    case 'thinking':
      return { kind: 'thinking', text: text(from.thinking) ?? '' }
    case 'tool_use':
      return { kind: 'tool-use', id: text(from.id) ?? '', name: text(from.name) ?? '', input: input(from.input) }
    default:
      return { kind: 'other', name: text(from.type) ?? '' }
  }
}

function toolResults(line: Fields, session: string): StreamLine | undefined {
  if (!isObject(line.message)) return undefined
  const results = objects(line.message.content).filter(part => part.type === 'tool_result')
  if (results.length === 0) return undefined
  return {
    type: 'tool-results',
    session,
    parent: text(line.parent_tool_use_id) ?? null,
    results: results.map(r => ({
      id: text(r.tool_use_id) ?? '',
      isError: r.is_error === true,
      text: resultText(r.content),
    })),
    at: text(line.timestamp),
  }
}

function resultText(content: unknown): string {
  if (typeof content === 'string') return cut(content)
  return cut(
    objects(content)
      .map(part => text(part.text) ?? `[${text(part.type) ?? 'unknown'}]`)
      .join('\n'),
  )
}

function result(line: Fields, session: string): StreamLine {
  return {
    type: 'result',
    session,
    index: amount(line.result_index) ?? 0,
    subtype: text(line.subtype) ?? '',
    isError: line.is_error === true,
    text: text(line.result) ?? errorText(line.errors),
    turns: amount(line.num_turns) ?? 0,
    durationMs: amount(line.duration_ms) ?? 0,
    costUsd: amount(line.total_cost_usd) ?? 0,
    costSinceUsd: costSince(line),
    usage: usage(line.usage),
    terminalReason: text(line.terminal_reason),
    permissionDenials: Array.isArray(line.permission_denials) ? line.permission_denials.length : 0,
    apiErrorStatus: number(line.api_error_status),
    apiError: text(line.api_error),
  }
}

/** A session that ended badly has no last word, but says why. */
function errorText(errors: unknown): string {
  const sentences = list(errors).flatMap(error => text(error) ?? [])
  return cut(sentences.join('\n'))
}

function costSince(line: Fields): number {
  const models = line.model_usage_since_last_result
  // An older client does not say it; its first result is then the best there is.
  if (!isObject(models)) return amount(line.total_cost_usd) ?? 0
  const costs = Object.values(models).slice(0, LIST_LIMIT)
  const sum = costs.reduce<number>((total, model) => total + (isObject(model) ? (amount(model.costUSD) ?? 0) : 0), 0)
  return amount(sum) ?? 0
}

function usage(from: unknown): Usage | undefined {
  if (!isObject(from)) return undefined
  return {
    input: amount(from.input_tokens) ?? 0,
    output: amount(from.output_tokens) ?? 0,
    cacheRead: amount(from.cache_read_input_tokens) ?? 0,
    cacheWrite: amount(from.cache_creation_input_tokens) ?? 0,
  }
}

function name(line: Fields): string {
  return [text(line.type), text(line.subtype)].filter(Boolean).join('/') || 'unknown'
}
