import { Command } from 'commander'
import type { AgentDetail } from '../../contract/agent-detail.ts'
import type { RunDetail } from '../../contract/run.ts'
import { agentLines } from '../../view/agent-lines.ts'
import { showLines } from '../../view/show-lines.ts'
import { agentPath, find } from '../ask-for-id.ts'
import type { Face } from '../face.ts'
import { printAgentLog } from '../print-agent-log.ts'
import { runPath } from '../run-path.ts'
import { printLog } from '../wait.ts'

/** Looking closely at one run or one agent. */
export function lookCommands(face: Face): Command[] {
  return [show(face), logs(face)]
}

function show(face: Face): Command {
  return new Command('show')
    .description('show one run or one agent with everything below it')
    .argument('<id>', 'of a run or an agent, or the beginning of it')
    .option('--json', 'for scripts')
    .action(async (id: string, { json }: { json?: boolean }) => {
      const found = await find(face, id)
      const { lines, value } = found.kind === 'run' ? await run(face, found.id) : await agent(face, found.id)
      if (json) return face.out.json(value)
      for (const line of lines) face.out.line(line)
    })
}

async function run(face: Face, id: string) {
  const value = await face.daemon.ask<RunDetail>({ path: runPath(id, '?disk=1') })
  return { value, lines: showLines(value, Date.now()) }
}

async function agent(face: Face, id: string) {
  const value = await face.daemon.ask<AgentDetail>({ path: agentPath(id) })
  return { value, lines: agentLines(value, Date.now(), face.out.columns) }
}

function logs(face: Face): Command {
  return new Command('logs')
    .description('print what a run’s sessions or an agent said and did')
    .argument('<id>', 'of a run or an agent, or the beginning of it')
    .option('-f, --follow', 'go on as it comes; Ctrl-C stops following, nothing else')
    .option('--json', 'one object a line, for scripts')
    .action(async (id: string, { follow, json }: { follow?: boolean; json?: boolean }) => {
      const found = await find(face, id)
      const how = { follow: follow === true, json: json === true }
      return found.kind === 'run' ? printLog(face, found.id, how) : printAgentLog(face, found.id, how)
    })
}
