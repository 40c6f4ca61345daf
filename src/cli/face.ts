import type { Daemon } from '../client/ask.ts'
import { RehoboamError } from '../contract/errors.ts'
import type { Out } from './out.ts'

/** What every command gets. */
export type Face = {
  out: Out
  /** A terminal is there, for input or for output. */
  hasPerson: boolean
  version: string
  script: string
  env: Record<string, string | undefined>
  daemon: Daemon
  /** Throws where an agent runs the command: agents may look, not decide. */
  mayChange(command: string): void
  /** The same for answers, and an attempt is written down. */
  mayDecide(command: string, question: string | null): Promise<void>
}

/** Agents are not trusted: a command of ours that is run inside one may read, and that is all. */
export function fromInsideAnAgent(env: Record<string, string | undefined>, command: string): void {
  const mark = env.CLAUDECODE ? 'CLAUDECODE' : env.REHOBOAM_RUN ? 'REHOBOAM_RUN' : null
  if (!mark) return
  const sentence = `rehoboam ${command} may not be run from inside an agent (${mark} is set); run it in a terminal of your own, or unset ${mark} if it is left over`
  throw new RehoboamError('inside-agent', sentence)
}

/** The caller's environment without holes, as it is sent to the daemon. */
export function wholeEnvironment(env: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/** Somebody inside an agent tried to decide about a question: the log must show it. Without a daemon nobody asks. */
export async function reportAttempt(face: Face, command: string, question: string | null): Promise<void> {
  const { CLAUDE_CODE_SESSION_ID: session = null, REHOBOAM_RUN: run = null } = face.env
  const body = { command, question, session, run }
  await face.daemon.askRunning({ method: 'POST', path: '/v1/inbox/refused', body }).catch(() => {})
}
