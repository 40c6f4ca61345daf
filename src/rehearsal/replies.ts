import type { RuleSource } from './scenario.ts'

// Short words for the scenarios that tests write by hand. Each returns data, so what they build can be stored as JSON.

type ReplySource = RuleSource['reply']

export function say(text: string, more: ReplySource = {}): ReplySource {
  return { ...more, text }
}

/** One tool call; `use(tool(...), tool(...))` makes several at once. */
export function tool(name: string, input: Record<string, unknown> = {}, id?: string): ToolSource {
  return { name, input: input as ToolSource['input'], ...(id ? { id } : {}) } as ToolSource
}
type ToolSource = NonNullable<ReplySource['tools']>[number]

export function use(...tools: ToolSource[]): ReplySource {
  return { tools }
}

export function bash(command: string): ReplySource {
  return use(tool('Bash', { command, description: 'rehearsed' }))
}

/** One reply a turn, in order; what comes after the last is unmatched. */
export function turns(when: RuleSource['when'], ...replies: ReplySource[]): RuleSource[] {
  return replies.map((reply, turn) => ({ when: { ...when, turn }, reply }))
}

/** As the API says it: too many requests, with the moment at which the limit is reset. */
export function rateLimited(more: ReplySource = {}): ReplySource {
  return { status: 429, resetInSeconds: 1, ...more }
}

export function overloaded(more: ReplySource = {}): ReplySource {
  return { status: 529, ...more }
}
