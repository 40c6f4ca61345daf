import type { Model } from '../../src/rehearsal/model.ts'

// The smallest client of the Messages API: enough to hear what the scripted model says, byte for byte.

export type Said = {
  status: number
  headers: Headers
  events: { type: string; [key: string]: unknown }[]
  raw: string
  text: string
}

type Content = string | Record<string, unknown>[]
export type Message = { role: string; content: Content }

export function user(content: Content): Message {
  return { role: 'user', content }
}

export function assistant(content: Content): Message {
  return { role: 'assistant', content }
}

export function results(...ids: string[]): Message {
  return user(ids.map(id => ({ type: 'tool_result', tool_use_id: id, content: 'done' })))
}

export async function post(
  model: Model,
  messages: Message[],
  more: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<Said> {
  const response = await fetch(`${model.url}/v1/messages?beta=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'claude-test', stream: true, tools: [{ name: 'Bash' }], messages, ...more }),
  })
  const raw = await response.text()
  const events = raw.split('\n\n').flatMap(part => {
    const data = /^data: (.*)$/m.exec(part)?.[1]
    try {
      return data ? [JSON.parse(data)] : []
    } catch {
      return [{ type: 'unreadable' }]
    }
  })
  const text = events.map(e => e.delta?.text ?? '').join('')
  return { status: response.status, headers: response.headers, events, raw, text }
}
