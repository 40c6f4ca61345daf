import { short } from './short.ts'
import { cut, type Fields, isObject, number, objects, text } from './stream-fields.ts'

/** One line of the client's own transcript, as far as it tells what the session is doing and what it cost. */
export type TranscriptLine =
  | { type: 'prompt'; at: number; text: string }
  | { type: 'interrupted'; at: number }
  | {
      type: 'assistant'
      at: number
      messageId: string
      model: string
      ended: boolean
      tools: { id: string; name: string; input: Record<string, unknown> }[]
      text: string
      usage: { input: number; output: number; cacheRead: number; cacheWrite: number } | null
      /** The client wrote this message itself because the turn failed: the same word as in a StopFailure hook. */
      error: string | null
    }
  | { type: 'results'; at: number; ids: string[]; failures: string[] }
  | { type: 'ended'; at: number }
  | { type: 'cost'; usd: number }
  | { type: 'other' }

/** True for whatever a person, the model or a tool has said, also in a form that we do not know. */
export function isMessageLine(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) && (value.type === 'user' || value.type === 'assistant' || isObject(value.message))
  } catch {
    return false
  }
}

/** Never throws; what we do not know, or what a subagent did, is `other`. */
export function parseTranscriptLine(line: string): TranscriptLine {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return { type: 'other' }
  }
  if (!isObject(value) || value.isSidechain === true) return { type: 'other' }
  const at = Date.parse(text(value.timestamp) ?? '') || 0
  if (value.type === 'cost-state') return { type: 'cost', usd: number(value.totalCostUSD) ?? 0 }
  if (value.type === 'system' && value.subtype === 'stop_hook_summary') return { type: 'ended', at }
  if (value.type === 'user') return user(value, at)
  // An assistant's line has no `type` of its own in some versions: its message tells.
  if (isObject(value.message) && value.message.role === 'assistant') return assistant(value, value.message, at)
  return { type: 'other' }
}

function user(value: Record<string, unknown>, at: number): TranscriptLine {
  const message = isObject(value.message) ? value.message : {}
  const blocks = objects(message.content)
  const ids = blocks.filter(({ type }) => type === 'tool_result').map(block => text(block.tool_use_id) ?? '')
  const said = text(message.content) ?? blocks.map(block => text(block.text) ?? '').join('')
  if (said.startsWith('[Request interrupted by user')) return { type: 'interrupted', at }
  if (ids.length > 0) return { type: 'results', at, ids, failures: failures(blocks) }
  if (value.isMeta === true || value.isCompactSummary === true) return { type: 'other' }
  return said ? { type: 'prompt', at, text: said } : { type: 'other' }
}

/** What the tools that failed said about it. */
function failures(blocks: Fields[]): string[] {
  const failed = blocks.filter(block => block.type === 'tool_result' && block.is_error === true)
  return failed.map(({ content }) => {
    const parts = objects(content).map(part => text(part.text) ?? '')
    return cut(text(content) ?? parts.join('\n'))
  })
}

function assistant(value: Fields, message: Fields, at: number): TranscriptLine {
  const blocks = objects(message.content)
  const tools = blocks
    .filter(({ type }) => type === 'tool_use')
    .map(block => ({
      id: text(block.id) ?? '',
      name: text(block.name) ?? '',
      input: isObject(block.input) ? block.input : {},
    }))
  const usage = isObject(message.usage) ? message.usage : null
  return {
    type: 'assistant',
    at,
    messageId: text(message.id) ?? '',
    model: text(message.model) ?? '',
    ended: message.stop_reason === 'end_turn' || message.stop_reason === 'stop_sequence',
    tools,
    text: blocks.map(block => text(block.text) ?? '').join(''),
    usage: usage && {
      input: number(usage.input_tokens) ?? 0,
      output: number(usage.output_tokens) ?? 0,
      cacheRead: number(usage.cache_read_input_tokens) ?? 0,
      cacheWrite: number(usage.cache_creation_input_tokens) ?? 0,
    },
    error: value.isApiErrorMessage === true ? short(text(value.error) || 'error', 200) : null,
  }
}
