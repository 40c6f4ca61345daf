import { Command, CommanderError } from 'commander'
import { Daemon } from '../client/ask.ts'
import { RehoboamError } from '../contract/errors.ts'
import { configCommand } from './commands/config.ts'
import { daemonCommand } from './commands/daemon.ts'
import { demoCommand } from './commands/demo.ts'
import { runCommands } from './commands/runs.ts'
import { spawnCommand } from './commands/spawn.ts'
import { type Face, fromInsideAnAgent } from './face.ts'
import { Out } from './out.ts'

/** The program, from its arguments to its exit code. */
export async function main(version: string, script: string): Promise<void> {
  const argv = process.argv
  const out = new Out(process.stdout, process.stderr, process.env, argv)
  const face: Face = {
    out,
    version,
    script,
    env: process.env,
    daemon: new Daemon(process.env, { node: process.execPath, script, version }),
    mayChange: command => fromInsideAnAgent(process.env, command),
  }
  try {
    await programOf(face).parseAsync(argv)
  } catch (error) {
    process.exitCode = report(error, out, argv.includes('--debug'))
  }
}

function programOf(face: Face): Command {
  const program = new Command('rehoboam')
    .description('The control room for coding agents.')
    .version(face.version, '-V, --version')
    .option('--plain', 'no colours, no pictures, one fact a line')
    .option('--debug', 'say where an error came from')
    .exitOverride()
    .configureOutput({ writeOut: text => face.out.raw(text), writeErr: text => face.out.rawError(text) })
    .showSuggestionAfterError()
    .addHelpText('after', EXAMPLES)
  for (const command of [
    spawnCommand(face),
    ...runCommands(face),
    configCommand(face),
    daemonCommand(face),
    demoCommand(face),
  ]) {
    program.addCommand(inherit(command))
  }
  return program
}

/** Every command takes --plain and --debug behind its own name too, and throws instead of leaving by itself. */
function inherit(command: Command): Command {
  command.exitOverride()
  if (!command.commands.length) {
    command.option('--plain', 'no colours').option('--debug', 'say where an error came from')
  }
  for (const child of command.commands) inherit(child)
  return command
}

const EXAMPLES = `
Examples:
  rehoboam demo                                   see it work: no account, no cost
  rehoboam spawn --prompt "mend the login test" --permission-mode acceptEdits --wait
  rehoboam runs                                   what there is
  rehoboam logs -f k3v9x0ab                       follow one
  rehoboam tell k3v9x0ab "use the new API"        a message for its next turn`

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

const USAGE_CODES = new Set([
  'usage',
  'bad-request',
  'bad-json',
  'config-wrong',
  'config-unknown-key',
  'config-wrong-value',
  'config-not-for-projects',
  'directory-missing',
  'driver-unknown',
  'run-unknown',
  'run-ambiguous',
  'inside-agent',
  'command-old',
])
