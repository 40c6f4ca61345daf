import { randomUUID } from 'node:crypto'
import { requestSocket } from '../../src/client/socket.ts'
import { NO_SURROUNDINGS } from '../../src/contract/agent.ts'
import type { TempHome } from '../support/temp-home.ts'

/** A hook of somebody's session that waits at the daemon's door, as `rehoboam hook` does. Gives what it is told. */
export async function held(
  home: TempHome,
  asked: string | { tool_name: string; tool_input: unknown },
  session = randomUUID(),
): Promise<string> {
  const hook = {
    session_id: session,
    cwd: home.project,
    hook_event_name: 'PermissionRequest',
    ...(typeof asked === 'string' ? { tool_name: 'Bash', tool_input: { command: asked } } : asked),
  }
  const where = { ...NO_SURROUNDINGS, entrypoint: 'cli' }
  const body = { id: randomUUID(), at: Date.now(), isHeld: true, where, hook }
  const answer = await requestSocket(home.daemon.socket, { method: 'POST', path: '/v1/hook', body })
  answer.resume()
  return Buffer.from(String(answer.headers['x-rehoboam-answer'] ?? ''), 'base64').toString('utf8')
}
