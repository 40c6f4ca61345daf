import { spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { Command } from 'commander'
import type { AgentSummary } from '../../contract/agent.ts'
import { RehoboamError } from '../../contract/errors.ts'
import type { RunDetail } from '../../contract/run.ts'
import { type Face, wholeEnvironment } from '../face.ts'
import { agentPath, find } from '../find.ts'
import { runPath } from '../run-path.ts'

type Options = { yes?: boolean; json?: boolean }

/** Jump to where an agent is: its pane. A session without one is ended and goes on in a pane. */
export function openCommand(face: Face): Command {
  return new Command('open')
    .description('jump to a pane; a headless session of a run is ended and taken over in one')
    .argument('<id>', 'of a run or an agent, or the beginning of it')
    .option('--yes', 'do not ask before a turn that is running is cut off')
    .option('--json', 'for scripts: the pane, and nothing is shown')
    .action(async (id: string, options: Options) => {
      face.mayChange('open')
      const found = await find(face, id)
      const run = found.kind === 'run' ? found.id : found.run
      const pane = run === null ? await paneOfAgent(face, found.id) : await paneOfRun(face, run, options)
      if (options.json) return face.out.json({ pane })
      if (!process.stdout.isTTY) return face.out.line(pane)
      process.exitCode = attach(pane, process.env)
    })
}

async function paneOfAgent(face: Face, session: string): Promise<string> {
  const agent = await face.daemon.ask<AgentSummary>({ path: agentPath(session) })
  const isOver = agent.status === 'done' || agent.status === 'gone'
  if (agent.pane && !isOver) return agent.pane
  const short = agent.session.slice(0, 8)
  const next = isOver
    ? `to go on with its session: cd ${agent.cwd} && claude --resume ${agent.session}`
    : `rehoboam logs -f ${short} follows it`
  throw new RehoboamError('no-pane', `agent ${short} ${isOver ? 'runs no more' : 'is in no pane'}; ${next}`)
}

// A session gets its grace to end, and a client needs its time to start.
const PANE_WITHIN_MS = 60_000
const LOOK_EVERY_MS = 100

/** Its pane, made when it has none. */
async function paneOfRun(face: Face, id: string, { yes }: Options): Promise<string> {
  const path = runPath(id)
  const first = await face.daemon.ask<RunDetail>({ path })
  if (first.driver !== 'pane' && isWorking(first) && !yes) await agree(face, first)
  const deadline = performance.now() + PANE_WITHIN_MS
  for (let run = first; ; run = await face.daemon.ask<RunDetail>({ path })) {
    const pane = run.driver === 'pane' && isWorking(run) ? await paneOf(face, run) : null
    if (pane) return pane
    if (performance.now() > deadline) throw notThere(run)
    // Asked again, because a session that was just ending for another reason is not taken over by the first time.
    const isOnItsWay = run.status === 'active' && (run.driver === 'pane' || run.turns.at(-1)?.state === 'ending')
    if (!isOnItsWay) {
      if (run !== first && run.driver === 'pane') throw notThere(run)
      const body = { environment: wholeEnvironment(face.env) }
      await face.daemon.ask({ method: 'POST', path: runPath(id, '/open'), body })
    }
    await delay(LOOK_EVERY_MS)
  }
}

function isWorking(run: RunDetail): boolean {
  return run.status === 'active' && run.turns.at(-1)?.state === 'running'
}

async function paneOf(face: Face, run: RunDetail): Promise<string | null> {
  const agents = await face.daemon.ask<AgentSummary[]>({ path: '/v1/agents' })
  return agents.find(({ session }) => session === run.session)?.pane ?? null
}

function notThere(run: RunDetail): RehoboamError {
  return new RehoboamError('no-pane', `run ${run.id} has no pane (${run.sentence}); rehoboam show ${run.id} says more`)
}

/** Only a person at a terminal is asked; a script that types it means it. */
async function agree(face: Face, run: RunDetail): Promise<void> {
  if (!process.stdin.isTTY || !face.out.isTerminal) return
  const asking = createInterface({ input: process.stdin, output: process.stdout })
  try {
    const text = `run ${run.id} is working; its turn is cut off and goes on in a pane. Take it over? [y/N] `
    if (/^y(es)?$/i.test((await asking.question(text)).trim())) return
  } finally {
    asking.close()
  }
  throw new RehoboamError('not-agreed', `nothing was changed; rehoboam logs -f ${run.id} follows it as it is`)
}

/** Shows the pane until its reader detaches. In the same tmux it is only switched to. */
function attach(pane: string, { TMUX, ...env }: NodeJS.ProcessEnv): number {
  const at = pane.lastIndexOf(':')
  const [socket, target] = [pane.slice(0, at), pane.slice(at + 1)]
  const isSame = TMUX?.split(',')[0]?.split('/').at(-1) === socket
  const go = isSame ? 'switch-client' : 'attach-session'
  // Inside another tmux it is opened within that: one server cannot show another's panes.
  const words = ['select-window', '-t', target, ';', 'select-pane', '-t', target, ';', go, '-t', target]
  const options = { stdio: 'inherit' as const, env: isSame ? { ...env, TMUX } : env }
  return spawnSync('tmux', ['-L', socket, ...words], options).status ?? 1
}
