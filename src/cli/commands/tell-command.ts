import { Command } from 'commander'
import type { AgentSummary } from '../../contract/agent.ts'
import type { RunSummary } from '../../contract/run.ts'
import { agentPath, find } from '../ask-for-id.ts'
import type { Face } from '../face.ts'
import { runPath } from '../run-path.ts'

/** A message for an agent: a run of ours gets it in its own time, anybody else's pane by typing. */
export function tellCommand(face: Face): Command {
  return new Command('tell')
    .description('a message for a run’s agent (its next prompt) or for a session in tmux (typed into its pane)')
    .argument('<id>', 'of a run or an agent, or the beginning of it')
    .argument('<text>')
    .option('--json', 'for scripts')
    .action(async (id: string, text: string, { json }: { json?: boolean }) => {
      face.mayChange('tell')
      const found = await find(face, id)
      const run = found.kind === 'run' ? found.id : found.run
      if (run !== null) return tellRun(face, run, text, json)
      const path = agentPath(found.id, '/tell')
      const agent = await face.daemon.ask<AgentSummary>({ method: 'POST', path, body: { text } })
      if (json) face.out.json(agent)
      else face.out.line(`typed into the pane of agent ${agent.session.slice(0, 8)}`)
    })
}

type Told = RunSummary & { driver: string }

async function tellRun(face: Face, id: string, text: string, json: boolean | undefined): Promise<void> {
  const body = { text }
  const run = await face.daemon.ask<Told>({ method: 'POST', path: runPath(id, '/tell'), body })
  if (json) return face.out.json(run)
  // A pane that is being started gets it with its first prompt, one that runs at once: either way it is on its way.
  face.out.line(
    run.driver === 'pane' ? `run ${run.id} is told in its pane` : `run ${run.id} will be told at its next turn`,
  )
}
