import { spawnSync } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import type { AgentSummary } from '../contract/agent.ts'
import { RehoboamError } from '../contract/errors.ts'
import type { RunDetail } from '../contract/run.ts'
import type { Daemon } from './ask.ts'

// A session gets its grace to end, and a client needs its time to start.
const PANE_WITHIN_MS = 60_000
const LOOK_EVERY_MS = 100

/** Where an agent that belongs to no run is. */
export async function paneOfAgent(daemon: Daemon, session: string): Promise<string> {
  const agent = await daemon.ask<AgentSummary>({ path: `/v1/agents/${encodeURIComponent(session)}` })
  const isOver = agent.status === 'done' || agent.status === 'gone'
  if (agent.pane && !isOver) return agent.pane
  const short = agent.session.slice(0, 8)
  const next = isOver
    ? `to go on with its session: cd ${agent.cwd} && claude --resume ${agent.session}`
    : `rehoboam logs -f ${short} follows it`
  throw new RehoboamError('no-pane', `agent ${short} ${isOver ? 'runs no more' : 'is in no pane'}; ${next}`)
}

/**
 * A run's pane, made when it has none: its session is ended and goes on there. `agree` is asked before a turn that is
 * running is cut off, and throws where that is not wanted.
 */
export async function paneOfRun(
  daemon: Daemon,
  id: string,
  environment: Record<string, string>,
  agree: (run: RunDetail) => Promise<void>,
): Promise<string> {
  const path = `/v1/runs/${encodeURIComponent(id)}`
  const first = await daemon.ask<RunDetail>({ path })
  if (first.driver !== 'pane' && isWorking(first)) await agree(first)
  const deadline = performance.now() + PANE_WITHIN_MS
  for (let run = first; ; run = await daemon.ask<RunDetail>({ path })) {
    const pane = run.driver === 'pane' && isWorking(run) ? await paneOf(daemon, run) : null
    if (pane) return pane
    if (performance.now() > deadline) throw notThere(run)
    // Asked again, because a session that was just ending for another reason is not taken over by the first time.
    const isOnItsWay = run.status === 'active' && (run.driver === 'pane' || run.turns.at(-1)?.state === 'ending')
    if (!isOnItsWay) {
      if (run !== first && run.driver === 'pane') throw notThere(run)
      await daemon.ask({ method: 'POST', path: `${path}/open`, body: { environment } })
    }
    await delay(LOOK_EVERY_MS)
  }
}

function isWorking(run: RunDetail): boolean {
  return run.status === 'active' && run.turns.at(-1)?.state === 'running'
}

async function paneOf(daemon: Daemon, run: RunDetail): Promise<string | null> {
  const agents = await daemon.ask<AgentSummary[]>({ path: '/v1/agents' })
  return agents.find(({ session }) => session === run.session)?.pane ?? null
}

function notThere(run: RunDetail): RehoboamError {
  return new RehoboamError('no-pane', `run ${run.id} has no pane (${run.sentence}); rehoboam show ${run.id} says more`)
}

/** Shows the pane until its reader detaches. In the same tmux it is only switched to. */
export function attach(pane: string, { TMUX, ...env }: NodeJS.ProcessEnv): number {
  const at = pane.lastIndexOf(':')
  const [socket, target] = [pane.slice(0, at), pane.slice(at + 1)]
  const isSame = TMUX?.split(',')[0]?.split('/').at(-1) === socket
  const go = isSame ? 'switch-client' : 'attach-session'
  // Inside another tmux it is opened within that: one server cannot show another's panes.
  const words = ['select-window', '-t', target, ';', 'select-pane', '-t', target, ';', go, '-t', target]
  const options = { stdio: 'inherit' as const, env: isSame ? { ...env, TMUX } : env }
  return spawnSync('tmux', ['-L', socket, ...words], options).status ?? 1
}
