import { type PromptLine, promptLine } from './prompt-line.ts'

/** What one request of the client says, as far as a script cares. Nothing in it is trusted to have its promised type. */
export type Question = {
  prompt: string
  line: PromptLine
  /** Assistant messages since the latest prompt. */
  turn: number
  /** A question of the client's own (a title, a summary): it offers no tools. */
  side: boolean
  stream: boolean
  model: string
  cwd: string | undefined
  system: string
  tools: string[]
  messages: Message[]
}
export type Message = { role: string; content: unknown }

export function readQuestion(body: Record<string, unknown>): Question {
  const messages = (Array.isArray(body.messages) ? body.messages : []).filter(isMessage)
  const { prompt, turn } = latestPrompt(messages)
  const tools = (Array.isArray(body.tools) ? body.tools : []).map(t => String((t as { name?: unknown })?.name ?? ''))
  const system = [texts(body.system), ...messages.filter(m => m.role === 'system').map(m => texts(m.content))]
    .flat()
    .join('\n')
  return {
    prompt,
    line: promptLine(prompt),
    turn,
    side: tools.length === 0,
    stream: body.stream === true,
    model: typeof body.model === 'string' ? body.model : 'unknown',
    cwd: workingDirectory(system, messages),
    system,
    tools,
    messages,
  }
}

/**
 * The latest message in which a person (or we) asked for something. Tool results come in user messages too, and so do
 * the client's own additions; neither begins a new count, or a script would lose its place after each tool.
 */
function latestPrompt(messages: Message[]): { prompt: string; turn: number } {
  let turn = 0
  let spoken = false
  for (const message of messages.toReversed()) {
    if (message.role === 'assistant') {
      // Two in a row are one answer: the client stores each content block as a message of its own.
      if (!spoken) turn += 1
      spoken = true
      continue
    }
    if (message.role !== 'user') continue
    spoken = false
    // After a turn that failed, the next prompt comes in the same message as the one that had no answer.
    const prompts = texts(message.content).map(withoutAdditions).filter(Boolean)
    const prompt = prompts.findLast(text => Object.keys(promptLine(text)).length > 0) ?? prompts.at(-1)
    if (prompt) return { prompt, turn }
  }
  return { prompt: '', turn }
}

const ADDITIONS = /<(system-reminder|task-notification|local-command-stdout)>[\s\S]*?<\/\1>/g

// What the client says in the user's place to go on after a cut answer, and what it notes when somebody interrupts.
const CLIENT_SPEAKS = [
  'Your response above was ',
  'Output token limit hit.',
  '[Request interrupted by user',
  '[SYSTEM NOTIFICATION',
]

function withoutAdditions(text: string): string {
  const rest = text.replace(ADDITIONS, '').trim()
  return CLIENT_SPEAKS.some(start => rest.startsWith(start)) ? '' : rest
}

function texts(content: unknown): string[] {
  if (typeof content === 'string') return [content]
  if (!Array.isArray(content)) return []
  return content.flatMap(block => (block?.type === 'text' && typeof block.text === 'string' ? [block.text] : []))
}

// The client states it among its environment facts, in a system message or in a reminder inside the first user message.
function workingDirectory(system: string, messages: Message[]): string | undefined {
  const stated = /^ - (?:Primary working directory|Working directory): (.+)$/m
  const found = stated.exec(system) ?? stated.exec(messages.flatMap(m => texts(m.content)).join('\n'))
  return found?.[1]?.trim()
}

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && typeof (value as Message).role === 'string'
}
