import { spawn } from 'node:child_process'
import type { AgentDetail } from '../../src/contract/agent-detail.ts'
import { agentsOf } from '../inbox/scene.ts'
import { PROGRAM, type TempHome } from '../support/temp-home.ts'

type Heard = { code: number | null; out: string; err: string; ms: number }

/** Runs `rehoboam hook` as a client would. */
export function hook(
  home: TempHome,
  payload: unknown,
  args: string[] = [],
  more: Record<string, string> = {},
): Promise<Heard> {
  const started = performance.now()
  return new Promise(resolve => {
    const child = spawn(process.execPath, [PROGRAM, 'hook', ...args], { env: { ...home.env, ...more } })
    let [out, err] = ['', '']
    child.stdout.on('data', part => {
      out += part
    })
    child.stderr.on('data', part => {
      err += part
    })
    child.once('close', code => resolve({ code, out, err, ms: performance.now() - started }))
    child.stdin.end(typeof payload === 'string' ? payload : JSON.stringify(payload))
  })
}

/** An event of a session of somebody's own. */
export const event = (name: string, fields: Record<string, unknown> = {}) => ({
  session_id: 'a-session-of-somebody',
  cwd: '/somewhere',
  hook_event_name: name,
  ...fields,
})

/** What the daemon has heard of this session, or of the only one; nothing before it knows it. */
export async function historyOf(home: TempHome, session?: string): Promise<AgentDetail['history']> {
  const agent = (await agentsOf(home)).find(agent => session === undefined || agent.session === session)
  if (!agent) return []
  return (await home.daemon.ask<AgentDetail>({ path: `/v1/agents/${agent.session}` })).history
}
