import { access, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { lastOutput } from '../../adapters/ward/output-file.ts'
import { type CommandExit, endWard, runCommand } from '../../adapters/ward/run-command.ts'
import { RehoboamError } from '../../contract/errors.ts'
import type { CommandResult, WardCommand, WardResult } from '../../contract/ward.ts'
import { LAST_WORDS, outcomeOf } from '../../core/ward/outcome.ts'
import { wardEnvironment } from '../../core/ward/ward-environment.ts'

export type WardStart = {
  /** The project's directory in the worktree. */
  directory: string
  commands: Pick<WardCommand, 'command'>[]
  /** The user's environment; what does not belong into a ward is taken out here. */
  environment: Record<string, string>
  /** What the worktree's setup adds: see prepareWorktree. */
  more?: Record<string, string>
  /** For each command. */
  timeLimitMs: number
  /** A directory of ours, and the effect's key: they name the files with what was printed, and mark the processes. */
  outputDirectory: string
  key: string
  signal: AbortSignal
  /** By default all commands are run, so that all failures are known at once. */
  stopAtFirstRed?: boolean
}

// Long enough for a test runner to end its workers.
const GRACE_MS = 5_000

/**
 * One command after the other. A red one is run once more, and the second result counts. May be done again with the same key: what
 * is left of the first time is ended before.
 */
export async function runWard(ward: WardStart): Promise<WardResult> {
  if (!/^[A-Za-z0-9][\w.:-]{0,199}$/.test(ward.key))
    throw new RehoboamError('ward-key', `no key of a ward: ${ward.key}`)
  await mkdir(ward.outputDirectory, { recursive: true, mode: 0o700 })
  // A command has its file before it has a process: without the first one's there is nothing to look for among all processes.
  if (await isThere(outputOf(ward, '1'))) await endWard(markOf(ward), GRACE_MS)
  const results: CommandResult[] = []
  for (const [index, { command }] of ward.commands.entries()) {
    const first = await once(ward, command, `${index + 1}`)
    const second =
      first?.how === 'red' && !ward.signal.aborted ? await once(ward, command, `${index + 1}-again`) : first
    if (!first || !second) return { results, cancelled: true }
    results.push({ ...second, flaky: first.how === 'red' && second.how === 'green' })
    if (ward.stopAtFirstRed && second.how !== 'green') break
  }
  return { results, cancelled: false }
}

/** Null: it was cancelled. */
async function once(ward: WardStart, command: string, name: string): Promise<CommandResult | null> {
  const output = outputOf(ward, name)
  const { exit, durationMs } = await runCommand({
    directory: ward.directory,
    command,
    environment: wardEnvironment(ward.environment, ward.more),
    mark: markOf(ward),
    timeLimitMs: ward.timeLimitMs,
    graceMs: GRACE_MS,
    output,
    signal: ward.signal,
  })
  if (exit.how === 'cancelled') return null
  const end =
    exit.how === 'exited' ? outcomeOf(command, exit.code, await lastOutput(output, LAST_WORDS)) : endOf(exit, ward)
  const code = exit.how === 'exited' ? exit.code : null
  return { command, ...end, code, durationMs, flaky: false, output }
}

function endOf(
  exit: Exclude<CommandExit, { how: 'exited' } | { how: 'cancelled' }>,
  { timeLimitMs }: WardStart,
): Pick<CommandResult, 'how' | 'why'> {
  if (exit.how === 'hung') return { how: 'hung', why: `not at its end after ${Math.round(timeLimitMs / 1000)} s` }
  if (exit.how === 'signalled') return { how: 'red', why: `ended by ${exit.signal}` }
  return { how: 'could-not-run', why: exit.why }
}

function outputOf({ outputDirectory, key }: WardStart, name: string): string {
  return join(outputDirectory, `${key.replaceAll(':', '.')}.${name}.log`)
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/** With the directory: two state directories may have the same key. */
function markOf({ outputDirectory, key }: WardStart): string {
  return join(outputDirectory, key)
}
