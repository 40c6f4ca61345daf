import { dialogIn } from '../../adapters/claude/prompt-signs.ts'
import { screenOf } from '../../adapters/tmux.ts'
import { judgeUnheard, NEVER_LOOKED, type PaneLook, type UnheardAs } from '../../core/agent/unheard.ts'
import { oneLine } from '../../core/plain-text.ts'
import type { Agents } from '../agents/agents.ts'
import type { Asked, Inbox } from '../inbox/inbox.ts'
import { ownQuestion } from '../inbox/own-question.ts'
import { sessionIdOf } from '../runtime/stable-id.ts'

const LOOK_EVERY_MS = 1_000
// What a person needs to know which dialog it is; the rest is in the pane.
const SHOWN_LINES = 14
const SHOWN_CHARACTERS = 200

type Outside = {
  agents: Agents
  inbox: Inbox
  now(): number
  /** True when the run has nobody to ask: then it is being ended. */
  turnAway(run: string, asked: string): Promise<boolean>
  log(line: string): void
}

/** `since`: hooks before this were of an earlier turn. */
type PaneTurn = { run: string; turn: number; session: string; project: string; since: number }

/**
 * Panes of ours that say nothing by hooks: one waits in a dialog before its first prompt (is this directory trusted?), another
 * works with its hooks disabled. Either is a question in the inbox until it is heard, answered or over.
 */
export class UnheardPanes {
  readonly #outside: Outside

  constructor(outside: Outside) {
    this.#outside = outside
  }

  /** Looks until a hook is heard or the turn is over. When we stop, the question stays for the next of us to ask again. */
  watch(turn: PaneTurn, over: AbortSignal, stopping: AbortSignal): void {
    const startedAt = this.#outside.now()
    let unheard = NEVER_LOOKED
    let open: string | null = null
    let isLooking = false
    const close = (by: 'pane' | 'session-end') => {
      if (open) this.#outside.inbox.close(open, by)
      open = null
      this.#outside.agents.showsDialog(turn.session, null)
    }
    const look = async () => {
      const { screen, seen } = await this.#look(turn, startedAt)
      if (over.aborted || stopping.aborted) return
      const next = judgeUnheard(unheard, seen)
      if (next.name !== unheard.name && open) close('pane')
      if (next.asks && !unheard.asks) open = await this.#ask(turn, next.asks, screen)
      unheard = next
      if (seen.isHooked) clearInterval(timer)
      // It ended while we asked.
      if (over.aborted) close('session-end')
    }
    const timer = setInterval(() => {
      if (isLooking) return
      isLooking = true
      look()
        .catch(error => this.#outside.log(`looking at the pane of run ${turn.run} failed: ${(error as Error).message}`))
        .finally(() => {
          isLooking = false
        })
    }, LOOK_EVERY_MS)
    stopping.addEventListener('abort', () => clearInterval(timer))
    over.addEventListener('abort', () => {
      clearInterval(timer)
      close('session-end')
    })
  }

  async #look({ session, since }: PaneTurn, startedAt: number): Promise<{ screen: string; seen: PaneLook }> {
    const { agents, now } = this.#outside
    const facts = agents.has(session) ? agents.facts(session) : null
    const isHooked = (await agents.lastHookAt(session)) > since
    const works = agents.isWorkingSince(session, since)
    const screen = !isHooked && !works && facts?.pane ? ((await screenOf(facts.pane)) ?? '') : ''
    const dialog = dialogIn(screen)
    const is = dialog
      ? ({ is: 'dialog', words: dialog } as const)
      : { is: screen ? ('other' as const) : ('blank' as const) }
    return { screen, seen: { at: now(), startedAt, isHooked, works, screen: is } }
  }

  /** The id of what is open now, or null. */
  async #ask(turn: PaneTurn, asks: UnheardAs, screen: string): Promise<string | null> {
    const { inbox, turnAway, agents, now } = this.#outside
    const question = questionOf(turn, asks, shown(screen), now())
    if (asks === 'dialog') {
      if (await turnAway(turn.run, question.text)) return null
      agents.showsDialog(turn.session, oneLine(shown(screen).join(' '), SHOWN_CHARACTERS))
    }
    // An answer only puts it aside: what it is about is done in the pane.
    void inbox.ask(question)
    return question.id
  }
}

/** Its id is the same across restarts. Disabled hooks are the same matter in every turn of a run, a dialog is not. */
function questionOf({ run, turn, session, project }: PaneTurn, asks: UnheardAs, lines: string[], now: number): Asked {
  const id = sessionIdOf(asks === 'dialog' ? `trust ${run} ${turn}` : `hooks ${run}`)
  // It is closed by what is seen of the pane.
  return ownQuestion({
    id,
    kind: 'trust',
    run,
    agent: session,
    step: null,
    text: asks === 'dialog' ? dialogText(run, lines) : hooksText(run),
    project,
    askedAt: now,
  })
}

function dialogText(run: string, lines: string[]): string {
  if (lines.length === 0)
    return `its pane shows nothing, and nothing was heard of the session; look: rehoboam open ${run}`
  return `its pane waits for you, and nothing was heard of the session; rehoboam open ${run}, and answer there:\n${lines.join('\n')}`
}

function hooksText(run: string): string {
  return `it works, but none of its hooks was heard: they are disabled (disableAllHooks in a settings.json, or a policy); what it asks is shown in its pane only: rehoboam open ${run}`
}

/** The beginning of a screen for a person: no frames, no empty lines, nothing that a terminal could obey. */
function shown(screen: string): string[] {
  const lines = screen.split('\n').map(line => oneLine(line.replace(/[─━╌│┃╭╮╰╯]+/g, ' '), SHOWN_CHARACTERS))
  return lines.filter(Boolean).slice(0, SHOWN_LINES)
}
