import { resolve } from 'node:path'
import { Command, CommanderError } from 'commander'
import { Daemon } from '../client/ask.ts'
import type { ErrorCode } from '../contract/error-codes.ts'
import { RehoboamError } from '../contract/errors.ts'
import { plainBlock } from '../view/plain.ts'
import { agentsCommand } from './commands/agents-command.ts'
import { checkpointCommands } from './commands/checkpoints-command.ts'
import { configCommand } from './commands/config-command.ts'
import { daemonCommand } from './commands/daemon-command.ts'
import { decideCommands } from './commands/decide-command.ts'
import { demoCommand } from './commands/demo-command.ts'
import { doctorCommand } from './commands/doctor-command.ts'
import { inboxCommand } from './commands/inbox-command.ts'
import { initCommand } from './commands/init-command.ts'
import { lookCommands } from './commands/look-command.ts'
import { mergeCommand } from './commands/merge-command.ts'
import { openCommand } from './commands/open-command.ts'
import { questCommand } from './commands/quest-command.ts'
import { rulesCommand } from './commands/rules-command.ts'
import { runCommands } from './commands/runs-command.ts'
import { spawnCommand } from './commands/spawn-command.ts'
import { stepCommands } from './commands/steps-command.ts'
import { taskCommand } from './commands/task-command.ts'
import { tellCommand } from './commands/tell-command.ts'
import { EXAMPLES } from './examples.ts'
import { type Face, fromInsideAnAgent, reportAttempt } from './face.ts'
import { isDashboard, openDashboard } from './open-dashboard.ts'
import { Out } from './out.ts'

/** The program, from its arguments to its exit code. */
export async function main(version: string, script: string): Promise<void> {
  const argv = process.argv
  // The daemon is started elsewhere and would look for it there.
  if (process.env.REHOBOAM_HOME) process.env.REHOBOAM_HOME = resolve(process.env.REHOBOAM_HOME)
  // Whoever reads along has left (`| head`): there is nobody to write to, and nothing is wrong.
  process.stdout.on('error', error => process.exit((error as NodeJS.ErrnoException).code === 'EPIPE' ? 130 : 1))
  const out = new Out(process.stdout, process.stderr, process.env, argv)
  const face: Face = {
    out,
    hasPerson: [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY),
    version,
    script,
    env: process.env,
    daemon: new Daemon(process.env, { node: process.execPath, script, version }),
    mayChange: command => fromInsideAnAgent(process.env, command),
    async mayDecide(command, question) {
      try {
        fromInsideAnAgent(process.env, command)
      } catch (error) {
        await reportAttempt(face, command, question)
        throw error
      }
    },
  }
  try {
    if (isDashboard(argv)) process.exitCode = await openDashboard(face, argv)
    else await programOf(face).parseAsync(argv)
  } catch (error) {
    process.exitCode = report(error, out, argv.includes('--debug'))
  }
}

/** Every command with its options, its help and what it does. */
export function programOf(face: Face): Command {
  const program = new Command('rehoboam')
    .description('The control room for coding agents.')
    .version(face.version, '-V, --version')
    .option('--plain', 'no colours, no pictures, one fact a line')
    .option('--debug', 'say where an error came from')
    .exitOverride()
    .configureOutput({ writeOut: text => face.out.raw(text), writeErr: text => face.out.rawError(plainBlock(text)) })
    .showSuggestionAfterError()
    .addHelpText('after', examplesOf('rehoboam'))
  for (const command of [
    spawnCommand(face),
    questCommand(face),
    ...runCommands(face),
    ...stepCommands(face),
    ...checkpointCommands(face),
    mergeCommand(face),
    ...lookCommands(face),
    tellCommand(face),
    agentsCommand(face),
    inboxCommand(face),
    ...decideCommands(face),
    rulesCommand(face),
    taskCommand(face),
    openCommand(face),
    initCommand(face),
    doctorCommand(face),
    configCommand(face),
    daemonCommand(face),
    demoCommand(face),
  ]) {
    program.addCommand(inherit(command, program))
  }
  return program
}

/** Every command takes --plain and --debug behind its own name too, has its examples, and throws instead of leaving. */
function inherit(command: Command, parent: Command, path = command.name()): Command {
  command.copyInheritedSettings(parent).exitOverride().addHelpText('after', examplesOf(path))
  if (!command.commands.length) {
    command.option('--plain', 'no colours').option('--debug', 'say where an error came from')
  }
  for (const child of command.commands) inherit(child, command, `${path} ${child.name()}`)
  return command
}

function examplesOf(path: string): string {
  const lines = EXAMPLES[path]
  return lines ? `\nExamples:${lines}` : ''
}

/** The exit code. What happened, why, and what to type next; the stack only for those who ask. */
function report(error: unknown, out: Out, debug: boolean): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (debug && error instanceof Error) out.rawError(`${error.stack}\n`)
  if (error instanceof RehoboamError) {
    out.error(error.message)
    return USAGE_CODES.has(error.code) ? 2 : 1
  }
  out.error(`this should not have happened: ${(error as Error).message}; --debug shows where`)
  return 1
}

const USAGE_CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'usage',
  'no-task',
  'bad-request',
  'bad-json',
  'config-wrong',
  'config-unknown-key',
  'config-wrong-value',
  'config-not-for-projects',
  'directory-missing',
  'question-ambiguous',
  'agent-unknown',
  'agent-ambiguous',
  'id-unknown',
  'id-ambiguous',
  'rule-wrong',
  'rule-unknown',
  'task-unknown',
  'step-unknown',
  'role-file',
  'task-none',
  'run-unknown',
  'run-ambiguous',
  'inside-agent',
  'command-old',
])
