import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Content, Message } from './message.ts'
import { VERSION } from './version.ts'

/** Where a client keeps a session, and who it says it is: one file per session, in a folder per working directory. */
export function transcriptPath(configDir: string, cwd: string, session: string): string {
  return join(configDir, 'projects', cwd.replace(/[^A-Za-z0-9]/g, '-'), `${session}.jsonl`)
}

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

  addCost(totalCostUSD: number): void {
    this.append({ type: 'cost-state', sessionId: this.common.sessionId, totalCostUSD })
  }

  private append(entry: unknown): void {
    mkdirSync(dirname(this.path), { recursive: true })
    appendFileSync(this.path, `${JSON.stringify(entry)}\n`)
  }

  /** What was said before, as the model has to hear it, and what it cost. */
  load(): { history: Message[]; costUsd: number } {
    const history: Message[] = []
    let costUsd = 0
    for (const line of readFileSync(this.path, 'utf8').split('\n')) {
      const entry = parsed(line)
      if (entry?.type === 'cost-state') costUsd = entry.totalCostUSD
      if (entry?.type !== 'user' && entry?.type !== 'assistant') continue
      this.parent = entry.uuid
      merge(history, entry.message)
    }
    return { history: closed(history), costUsd }
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
function merge(history: Message[], message: Message): void {
  const said =
    message.role === 'assistant'
      ? history.find(m => m.role === 'assistant' && m.id !== undefined && m.id === message.id)
      : undefined
  const into = said ?? (history.at(-1)?.role === message.role && message.role === 'user' ? history.at(-1) : undefined)
  if (into) into.content = [...into.content, ...blocksOf(message.content)]
  else
    history.push({ role: message.role, content: blocksOf(message.content), ...(message.id ? { id: message.id } : {}) })
}

function blocksOf(content: unknown): Content[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : (content as Content[])
}

const INTERRUPTED =
  "[Tool call interrupted: the session ended before this call's result was recorded, so its outcome is unknown. Check whether it took effect before relying on it or running it again.]"

/** A session that was killed is closed before it goes on: a call without a result gets one, a prompt without an answer too. */
function closed(history: Message[]): Message[] {
  const answered = new Set(
    history.flatMap(m => m.content.flatMap(c => (c.type === 'tool_result' ? [c.tool_use_id] : []))),
  )
  const open = history.flatMap(m => m.content.filter(c => c.type === 'tool_use' && !answered.has(c.id)))
  const results = open.map(
    (call): Content => ({
      type: 'tool_result',
      content: INTERRUPTED,
      is_error: true,
      tool_use_id: (call as { id: string }).id,
    }),
  )
  if (results.length > 0) merge(history, { role: 'user', content: results })
  if (history.at(-1)?.role === 'user')
    history.push({ role: 'assistant', content: [{ type: 'text', text: 'No response requested.' }] })
  return history
}
