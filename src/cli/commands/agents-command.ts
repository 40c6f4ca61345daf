import { Command } from 'commander'
import type { AgentSummary } from '../../contract/agent.ts'
import { agentsTable, countWords } from '../../view/agent-words.ts'
import type { Face } from '../face.ts'

export function agentsCommand(face: Face): Command {
  return new Command('agents')
    .description('every session that is known, with what it is doing and why')
    .option('--json', 'for scripts')
    .action(async ({ json }: { json?: boolean }) => {
      const agents = await face.daemon.ask<AgentSummary[]>({ path: '/v1/agents' })
      if (json) return face.out.json(agents)
      if (agents.length === 0) {
        return face.out.line(
          'no agents yet; rehoboam init lets your Claude Code sessions report, rehoboam spawn starts one',
        )
      }
      for (const line of agentsTable(agents, Date.now(), face.out.columns)) face.out.line(line)
      face.out.line(countWords(agents), 'note')
    })
}
