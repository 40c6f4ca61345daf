import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { addTo, type Content, type Message, NO_USAGE, type Usage } from './message.ts'
import { VERSION } from './version.ts'

/** Where a client keeps a session, and who it says it is: one file per session, in a folder per working directory. */
export function transcriptPath(configDir: string, cwd: string, session: string): string {
  return join(configDir, 'projects', cwd.replace(/[^A-Za-z0-9]/g, '-'), `${session}.jsonl`)
}

export type LastResponse = { at: number; usage: Usage }

export class Transcript {
  readonly path: string
  private parent: string | null = null
  private readonly common: Record<string, unknown>

  constructor(path: string, session: string, cwd: string) {
    this.path = path
    this.common = { userType: 'external', entrypoint: 'sdk-cli', cwd, sessionId: session, version: VERSION }
  }

  exists(): boolean {
    return existsSync(this.path)
  }

  holdsMessage(): boolean {
    const entries = readFileSync(this.path, 'utf8').split('\n').map(parsed)
    return entries.some(entry => entry?.type === 'user' || entry?.type === 'assistant')
  }

  /** Written at once and synchronously: what a killed puppet has said it did is on disk. */
  add(message: Message, more: Record<string, unknown> = {}): void {
    const uuid = randomUUID()
    const entry = {
      parentUuid: this.parent,
      isSidechain: false,
      type: message.role,
      message,
      uuid,
      timestamp: new Date().toISOString(),
      ...more,
      ...this.common,
    }
    this.parent = uuid
    this.append(entry)
  }

  /** The client's own words in the model's place. They are not part of what the model hears when the session goes on. */
  addSynthetic(text: string, error: string): void {
    const message = {
      role: 'assistant',
      id: randomUUID(),
      content: [{ type: 'text', text }],
      model: '<synthetic>',
      type: 'message',
    }
    this.add(message as Message, { error, isApiErrorMessage: true })
  }

  addCost(totalCostUSD: number): void {
    this.append({ type: 'cost-state', sessionId: this.common.sessionId, totalCostUSD })
  }

  private append(entry: unknown): void {
    mkdirSync(dirname(this.path), { recursive: true })
    appendFileSync(this.path, `${JSON.stringify(entry)}\n`)
  }

  /** What was said before, as the model has to hear it, and what it cost. */
  load(): { history: Message[]; costUsd: number; lastResponse: LastResponse | undefined } {
    const history: Message[] = []
    let costUsd = 0
    let lastResponse: LastResponse | undefined
    let answered = true
    for (const line of readFileSync(this.path, 'utf8').split('\n')) {
      const entry = parsed(line)
      if (entry?.type === 'cost-state') costUsd = entry.totalCostUSD
      if (entry?.type !== 'user' && entry?.type !== 'assistant') continue
      this.parent = entry.uuid
      answered = entry.type === 'assistant'
      if (entry.isApiErrorMessage) continue
      merge(history, entry.message)
      if (answered) lastResponse = { at: Date.parse(entry.timestamp), usage: { ...NO_USAGE, ...entry.message.usage } }
    }
    return { history: closed(history, answered), costUsd, lastResponse }
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a file that another program may have written
function parsed(line: string): any {
  try {
    return JSON.parse(line)
  } catch {
    // Killed in the middle of a line: what came before it still counts.
    return undefined
  }
}

/** Each content block is a line of its own in the file; the model gets the message as it once gave it. */
function merge(history: Message[], { role, content, id }: Message): void {
  const blocks = blocksOf(content)
  const begun =
    role === 'assistant' ? history.find(m => m.role === role && m.id !== undefined && m.id === id) : undefined
  if (begun) begun.content = [...begun.content, ...blocks]
  else addTo(history, { role, content: blocks, ...(id ? { id } : {}) })
}

function blocksOf(content: unknown): Content[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : (content as Content[])
}

const INTERRUPTED =
  "[Tool call interrupted: the session ended before this call's result was recorded, so its outcome is unknown. Check whether it took effect before relying on it or running it again.]"

/**
 * A session that was killed is closed before it goes on: a call without a result gets one, a prompt without an answer
 * too. A prompt that the API failed to answer was answered, by the client itself.
 */
function closed(history: Message[], answered: boolean): Message[] {
  const done = new Set(history.flatMap(m => m.content.flatMap(c => (c.type === 'tool_result' ? [c.tool_use_id] : []))))
  const open = history.flatMap(m => m.content.flatMap(c => (c.type === 'tool_use' && !done.has(c.id) ? [c.id] : [])))
  const results = open.map(
    (id): Content => ({ type: 'tool_result', content: INTERRUPTED, is_error: true, tool_use_id: id }),
  )
  if (results.length > 0) addTo(history, { role: 'user', content: results })
  if (history.at(-1)?.role === 'user' && (!answered || results.length > 0)) {
    history.push({ role: 'assistant', content: [{ type: 'text', text: 'No response requested.' }] })
  }
  return history
}
