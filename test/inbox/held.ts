import { randomUUID } from 'node:crypto'
import { requestSocket } from '../../src/client/socket.ts'
import { NO_SURROUNDINGS } from '../../src/contract/agent.ts'
import type { TempHome } from '../support/temp-home.ts'

/** A hook of somebody's session that waits at the daemon's door, as `rehoboam hook` does. Gives what it is told. */
export async function held(
  home: TempHome,
  asked: string | { tool_name: string; tool_input: unknown },
  session: string = randomUUID(),
): Promise<string> {
  const hook = {
    session_id: session,
    cwd: home.project,
    hook_event_name: 'PermissionRequest',
    ...(typeof asked === 'string' ? { tool_name: 'Bash', tool_input: { command: asked } } : asked),
  }
  const answer = await posted(home, { at: Date.now(), isHeld: true, hook })
  return Buffer.from(String(answer.headers['x-rehoboam-answer'] ?? ''), 'base64').toString('utf8')
}

/** A hook for which nobody waits, and when it was started. It has been heard when this ends. */
export async function heard(home: TempHome, at: number, hook: Record<string, unknown>): Promise<void> {
  await posted(home, { at, isHeld: false, hook: { cwd: home.project, ...hook } })
}

async function posted(home: TempHome, sent: { at: number; isHeld: boolean; hook: object }) {
  const body = { id: randomUUID(), where: { ...NO_SURROUNDINGS, entrypoint: 'cli' }, ...sent }
  const answer = await requestSocket(home.daemon.socket, { method: 'POST', path: '/v1/hook', body })
  answer.resume()
  return answer
}
