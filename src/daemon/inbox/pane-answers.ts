import { runsCommand, showsPrompt } from '../../adapters/claude/prompt-signs.ts'
import { childrenOf } from '../../adapters/process-table.ts'
import { screenOf } from '../../adapters/tmux.ts'
import type { AgentFacts } from '../../core/agent/facts.ts'
import { answeredWhenPromptLeft, judgeLook, type Look, NOT_WATCHED, type Watched } from '../../core/inbox/answered.ts'
import type { Clock } from '../../ports.ts'
import type { Agents } from '../agents/agents.ts'
import type { Asked, Inbox } from './inbox.ts'

// Two looks must agree, and whoever answered in a pane expects the question to be gone from everywhere within 2 s.
const LOOK_EVERY_MS = 500
// The hook that asks is a process that has to start: on a busy machine its clock is read long after the prompt was there.
const HOOK_LATE_MS = 2_000

type Outside = { clock: Clock; agents: Agents; inbox: Inbox; log(line: string): void }

/** Closes questions that somebody answered in the session's own pane: neither the client nor the hook says so. */
export class PaneAnswers {
  readonly #outside: Outside
  readonly #watched = new Map<string, Watched>()
  /** Questions that had a twin: of two equal commands, nobody can tell which one a process runs. */
  readonly #twins = new Set<string>()
  #timer: NodeJS.Timeout | null = null
  #looking = false

  constructor(outside: Outside) {
    this.#outside = outside
  }

  /** The client noted that its prompt has gone. */
  promptLeft(session: string, at: number): void {
    const open = this.#open().filter(({ match }) => match.session === session)
    const asked = open.map(({ id, askedAt, match }) => ({ id, askedAt, agentId: match.agentId }))
    for (const id of answeredWhenPromptLeft(asked, at)) this.#outside.inbox.close(id, 'pane')
  }

  /** The inbox has changed: as long as anything is open there, somebody may answer it elsewhere. */
  inboxChanged(): void {
    const open = this.#open()
    for (const id of this.#watched.keys()) if (!open.some(question => question.id === id)) this.#watched.delete(id)
    for (const { id, match } of open) {
      const isTwin = open.some(other => other.id !== id && sameCall(other, match))
      if (isTwin) this.#twins.add(id)
    }
    if (open.length > 0) this.#timer ??= setInterval(() => void this.#look(), LOOK_EVERY_MS)
    else this.close()
  }

  close(): void {
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
    this.#watched.clear()
    this.#twins.clear()
  }

  /** Those that a client asked; what a run asks has no pane of its own. */
  #open(): Asked[] {
    return this.#outside.inbox.list().filter(({ match }) => match.session !== '')
  }

  async #look(): Promise<void> {
    if (this.#looking) return
    this.#looking = true
    try {
      for (const question of this.#open()) await this.#lookAt(question)
    } catch (error) {
      this.#outside.log(`looking for answers in panes failed: ${(error as Error).message}`)
    } finally {
      this.#looking = false
    }
  }

  async #lookAt(question: Asked): Promise<void> {
    const { agents, inbox } = this.#outside
    if (!agents.has(question.match.session)) return
    const look = await this.#see(question, agents.facts(question.match.session))
    const { watched, answered } = judgeLook(this.#watched.get(question.id) ?? NOT_WATCHED, look)
    this.#watched.set(question.id, watched)
    if (answered) inbox.close(question.id, 'pane')
  }

  async #see({ id, askedAt, match }: Asked, { pid, pane, client, entrypoint }: AgentFacts): Promise<Look> {
    const now = this.#outside.clock.now()
    const input = JSON.parse(match.input) as Record<string, unknown>
    const isNoted = match.agentId === '' && !entrypoint?.startsWith('sdk') && client && client.status !== 'unknown'
    const note = isNoted ? (client.status === 'waiting' ? 'waiting' : 'other') : null
    const { command } = input
    const children = pid && typeof command === 'string' && !this.#twins.has(id) ? await childrenOf(pid, now) : []
    const runs = children.some(
      child => child.startedAt > askedAt - HOOK_LATE_MS && runsCommand(child, command as string),
    )
    // Where the client itself says that it waits, its screen would say nothing new.
    const screen = pane && note !== 'waiting' && !runs ? await screenOf(pane) : null
    const shown = screen === null ? null : showsPrompt(screen, match.tool, input) ? 'prompt' : 'none'
    return { ageMs: now - askedAt, runs, note, screen: shown }
  }
}

function sameCall({ match }: Asked, other: Asked['match']): boolean {
  return match.session === other.session && match.tool === other.tool && match.input === other.input
}
