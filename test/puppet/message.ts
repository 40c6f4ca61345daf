import type { TextBlock } from './mcp/mcp-server.ts'

export type Content =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string; signature: string }
  | ToolUse
  | { type: 'tool_result'; tool_use_id: string; content: string | TextBlock[]; is_error?: boolean }

export type ToolUse = { type: 'tool_use'; id: string; name: string; input: Record<string, unknown> }

export type Message = { role: 'user' | 'assistant'; content: Content[]; id?: string; usage?: unknown }

export type Usage = {
  input_tokens: number
  output_tokens: number
  cache_creation_input_tokens: number
  cache_read_input_tokens: number
}

export const NO_USAGE: Usage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
}

export function added(a: Usage, b: Usage): Usage {
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cache_creation_input_tokens: a.cache_creation_input_tokens + b.cache_creation_input_tokens,
    cache_read_input_tokens: a.cache_read_input_tokens + b.cache_read_input_tokens,
  }
}

/** Two messages of the user in a row are one to the model; where two texts meet, a line ends. */
export function addTo(history: Message[], message: Message): void {
  const last = history.at(-1)
  if (message.role !== 'user' || last?.role !== 'user') {
    history.push(message)
    return
  }
  const before = last.content.at(-1)
  const ended: Content[] =
    before?.type === 'text' && message.content[0]?.type === 'text'
      ? [{ ...before, text: `${before.text}\n` }]
      : before
        ? [before]
        : []
  last.content = [...last.content.slice(0, -1), ...ended, ...message.content]
}
