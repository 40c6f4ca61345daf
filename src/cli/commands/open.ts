import { spawnSync } from 'node:child_process'
import { Command } from 'commander'
import type { AgentSummary } from '../../contract/agent.ts'
import { RehoboamError } from '../../contract/errors.ts'
import type { RunDetail } from '../../contract/run.ts'
import type { Face } from '../face.ts'

/** Jump to where an agent is: its pane. */
export function openCommand(face: Face): Command {
  return new Command('open')
    .description('jump to the pane of a run or an agent')
    .argument('<id>', 'a run’s id or an agent’s')
    .action(async (id: string) => {
      face.mayChange('open')
      const pane = await paneOf(face, id)
      if (!process.stdout.isTTY) return face.out.line(pane)
      const [socket = '', target = ''] = [pane.slice(0, pane.lastIndexOf(':')), pane.slice(pane.lastIndexOf(':') + 1)]
      // Inside another tmux, ours is opened within it: one server cannot show another's panes.
      const { TMUX: _, ...env } = process.env
      const { status } = spawnSync('tmux', ['-L', socket, 'attach-session', '-t', target], { stdio: 'inherit', env })
      process.exitCode = status ?? 1
    })
}

async function paneOf(face: Face, id: string): Promise<string> {
  const agents = await face.daemon.ask<AgentSummary[]>({ path: '/v1/agents' })
  const run = await face.daemon.ask<RunDetail>({ path: `/v1/runs/${encodeURIComponent(id)}` }).catch(() => null)
  const agent = agents.find(known => (run ? known.run === run.id : known.session.startsWith(id)))
  if (!agent) throw new RehoboamError('agent-unknown', `there is no run or agent "${id}"; rehoboam agents lists them`)
  if (agent.pane) return agent.pane
  throw new RehoboamError('no-pane', `it runs without a pane; rehoboam logs -f ${run?.id ?? id} follows it`)
}
