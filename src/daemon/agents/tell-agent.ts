import { inputBox } from '../../adapters/claude/claude-screen.ts'
import { isAlive, lineageOf } from '../../adapters/process-table.ts'
import { Tmux } from '../../adapters/tmux.ts'
import { RehoboamError } from '../../contract/errors.ts'
import { printable } from '../../contract/printable.ts'
import { statusOf } from '../../core/agent/agent-status.ts'
import type { AgentFacts } from '../../core/agent/facts.ts'

/** Types a message into the pane of somebody's own session, where that can do no harm; else it says what to do instead. */
export async function tellAgent(facts: AgentFacts, text: string, now: number): Promise<void> {
  refuseWhileAsking(facts, now)
  const { tmux, pane } = await paneWith(facts)
  const box = inputBox(await tmux.captureColours(pane))
  if (box.is === 'hidden') {
    throw refused(`the pane of agent ${short(facts)} shows something else than its input; look: ${open(facts)}`)
  }
  if (box.is === 'draft') {
    const draft = printable(box.text, 48)
    throw refused(`somebody is typing in the pane of agent ${short(facts)} ("${draft}"); look: ${open(facts)}`)
  }
  await tmux.type(pane, text)
}

/** A message typed while a prompt is on the screen would answer the prompt. */
export function refuseWhileAsking(facts: AgentFacts, now: number): void {
  const { status, reason } = statusOf(facts, now)
  if (status !== 'attention') return
  const asked = printable(reason, 120)
  throw refused(
    `agent ${short(facts)} waits for an answer: ${asked}; answer that first: rehoboam inbox, or ${open(facts)}`,
  )
}

/** The pane, if this agent's process really lives in it: a shell that it left behind would run the message as a command. */
async function paneWith(facts: AgentFacts): Promise<{ tmux: Tmux; pane: string }> {
  const [, socket, pane] = /^([^/:]{1,200}):(%\d{1,9})$/.exec(facts.pane ?? '') ?? []
  if (!socket || !pane) throw noPane(facts)
  if (facts.pid === null || !isAlive(facts.pid)) throw noPane(facts)
  const tmux = new Tmux(socket)
  const shell = await tmux.processOf(pane)
  if (shell === null || !(await lineageOf(facts.pid)).includes(shell)) {
    throw refused(
      `agent ${short(facts)} is not in its pane ${printable(facts.pane ?? '')} any more; look there yourself`,
    )
  }
  return { tmux, pane }
}

function noPane(facts: AgentFacts): RehoboamError {
  const resume = `cd ${quoted(facts.cwd)} && claude --resume ${facts.session}`
  if (facts.end || facts.vanishedAt !== null || facts.pid === null) {
    return refused(`agent ${short(facts)} runs no more; to go on with its session type: ${resume}`)
  }
  if (facts.entrypoint?.startsWith('sdk')) {
    return refused(
      `agent ${short(facts)} is a script's own session and hears nobody; when it has ended type: ${resume}`,
    )
  }
  return refused(
    `agent ${short(facts)} is not in tmux, so only its own terminal can type to it (process ${facts.pid}); when it has ended type: ${resume}`,
  )
}

const refused = (sentence: string) => new RehoboamError('cannot-tell', sentence)
const short = ({ session }: AgentFacts) => session.slice(0, 8)
const open = ({ session }: AgentFacts) => `rehoboam open ${session.slice(0, 8)}`

/** For a person to paste into a shell; what is no harmless path is quoted. */
function quoted(path: string): string {
  const shown = printable(path, 500)
  return /^[\w./-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", "'\\''")}'`
}
