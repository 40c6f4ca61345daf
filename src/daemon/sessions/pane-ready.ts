import { setTimeout as delay } from 'node:timers/promises'
import { dialogIn } from '../../adapters/claude/prompt-signs.ts'
import { screenOf } from '../../adapters/tmux.ts'
import { RehoboamError } from '../../contract/errors.ts'
import type { SessionRun } from '../../core/session/session-state.ts'
import type { Agents } from '../agents/agents.ts'

const LOOK_EVERY_MS = 200
// A start takes a second; whoever has a message for it waits as long as nobody can say that it will not start.
const PATIENCE_MS = 10_000

/**
 * Waits until what is typed into the pane of a turn reaches its session. Before its first word the client may show a
 * dialog (is this directory trusted?), and a message would answer that.
 */
export async function paneReady(agents: Agents, { id, spec, turn, earlier }: SessionRun): Promise<void> {
  if (spec.driver !== 'pane' || turn.state !== 'running' || turn.ending) return
  const since = earlier.at(-1)?.endedAt ?? 0
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += LOOK_EVERY_MS) {
    if ((await agents.lastHookAt(spec.session)) > since || agents.isWorkingSince(spec.session, since)) return
    const pane = agents.has(spec.session) ? agents.facts(spec.session).pane : null
    const screen = pane ? await screenOf(pane) : null
    if (screen && dialogIn(screen)) throw refused(id, 'waits for an answer before its session can begin')
    await delay(LOOK_EVERY_MS)
  }
  throw refused(id, 'has said nothing yet, and may wait for an answer')
}

function refused(run: string, why: string): RehoboamError {
  return new RehoboamError('cannot-tell', `the pane of run ${run} ${why}; look there first: rehoboam open ${run}`)
}
