import type { IncomingHttpHeaders } from 'node:http'
import type { Message, Question } from './request.ts'

/** The record of one request. It holds no secret: of the key only that there was one. */
export type Asked = Question & {
  /** From 1, in the order of arrival. */
  number: number
  at: string
  session: string | undefined
  credential: 'x-api-key' | 'authorization' | 'none'
  headers: Record<string, string>
  /** Which answer it got: 'message', 'status 429', ... */
  answered: string
  /** Nothing in the script matched. */
  unmatched: boolean
}

// By name, because a header that we do not know may be somebody's secret.
const KEPT_HEADERS = ['user-agent', 'anthropic-version', 'anthropic-beta', 'x-app', 'x-stainless-retry-count']

// A session of hours repeats its whole history in each request: without a bound, the record of one rehearsal is gigabytes.
const TEXT_LIMIT = 20_000
const MESSAGE_LIMIT = 200

export function record(number: number, question: Question, headers: IncomingHttpHeaders): Asked {
  const kept = KEPT_HEADERS.flatMap(name => (typeof headers[name] === 'string' ? [[name, headers[name]]] : []))
  const session = headers['x-claude-code-session-id']
  return {
    ...question,
    prompt: cut(question.prompt),
    system: cut(question.system),
    messages: bounded(question.messages),
    number,
    at: new Date().toISOString(),
    session: typeof session === 'string' ? session : undefined,
    credential: headers['x-api-key'] ? 'x-api-key' : headers.authorization ? 'authorization' : 'none',
    headers: Object.fromEntries(kept),
    answered: '',
    unmatched: false,
  }
}

function bounded(messages: Message[]): Message[] {
  return messages.slice(-MESSAGE_LIMIT).map(message => cutAll(message) as Message)
}

function cutAll(value: unknown): unknown {
  if (typeof value === 'string') return cut(value)
  if (Array.isArray(value)) return value.map(cutAll)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cutAll(inner)]))
}

function cut(text: string): string {
  if (text.length <= TEXT_LIMIT) return text
  return `${text.slice(0, TEXT_LIMIT)}... (${text.length - TEXT_LIMIT} more characters)`
}
