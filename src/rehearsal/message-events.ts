import type { Reply } from './scenario.ts'

export type Sse = { event: string; data: string }
export type Block =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'tool_use'; id: string; name: string; input: unknown }

const DEFAULT_USAGE = { input: 100, output: 20, cacheRead: 0, cacheWrite: 0 }

/** The answer as one JSON body, for a request that did not ask for a stream. */
export function wholeMessage(reply: Reply, id: string, model: string) {
  const content = blocks(reply, id)
  return { ...head(id, model), content, stop_reason: stopReason(reply), usage: usage(reply) }
}

/** The answer as the events of a stream, in the order and the pieces that the API sends them. */
export function messageEvents(reply: Reply, id: string, model: string): Sse[] {
  const start = { ...head(id, model), content: [], usage: { ...usage(reply), output_tokens: 1 } }
  return [
    sse('message_start', { message: start }),
    ...blocks(reply, id).flatMap((block, index) => blockEvents(block, index, reply.pace?.chars ?? Infinity)),
    sse('message_delta', { delta: { stop_reason: stopReason(reply), stop_sequence: null }, usage: usage(reply) }),
    sse('message_stop', {}),
  ]
}

function head(id: string, model: string) {
  return { id, type: 'message', role: 'assistant', model, stop_reason: null as string | null, stop_sequence: null }
}

function blocks(reply: Reply, id: string): Block[] {
  const thinking: Block[] = reply.thinking
    ? [{ type: 'thinking', thinking: reply.thinking, signature: 'rehearsed' }]
    : []
  // The API refuses an empty text block, and the client's behaviour on one is nobody's contract.
  const text: Block[] = reply.text ? [{ type: 'text', text: reply.text }] : []
  const tools = (reply.tools ?? []).map(
    (tool, n): Block => ({ type: 'tool_use', id: tool.id ?? `toolu_${id}_${n}`, name: tool.name, input: tool.input }),
  )
  return [...thinking, ...text, ...tools]
}

function blockEvents(block: Block, index: number, chars: number): Sse[] {
  const [empty, deltas] = opened(block, chars)
  return [
    sse('content_block_start', { index, content_block: empty }),
    ...deltas.map(delta => sse('content_block_delta', { index, delta })),
    sse('content_block_stop', { index }),
  ]
}

function opened(block: Block, chars: number): [object, object[]] {
  if (block.type === 'text') {
    return [{ ...block, text: '' }, pieces(block.text, chars).map(text => ({ type: 'text_delta', text }))]
  }
  if (block.type === 'thinking') {
    const thoughts = pieces(block.thinking, chars).map(thinking => ({ type: 'thinking_delta', thinking }))
    const signed = { type: 'signature_delta', signature: block.signature }
    return [{ type: 'thinking', thinking: '', signature: '' }, [...thoughts, signed]]
  }
  const input = pieces(JSON.stringify(block.input), chars)
  return [{ ...block, input: {} }, input.map(partial_json => ({ type: 'input_json_delta', partial_json }))]
}

function pieces(text: string, chars: number): string[] {
  if (text.length <= chars) return [text]
  const count = Math.ceil(text.length / chars)
  return Array.from({ length: count }, (_, n) => text.slice(n * chars, (n + 1) * chars))
}

function stopReason(reply: Reply): string {
  return reply.stopReason ?? (reply.tools?.length ? 'tool_use' : 'end_turn')
}

function usage(reply: Reply) {
  const { input, output, cacheRead, cacheWrite } = reply.usage ?? DEFAULT_USAGE
  return {
    input_tokens: input,
    output_tokens: output,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
  }
}

export function sse(type: string, fields: object): Sse {
  return { event: type, data: JSON.stringify({ type, ...fields }) }
}
