import { execa } from 'execa'
import type { Outcome } from './steps.ts'

/** Long enough for a runner to end its workers, short enough that nobody presses Ctrl-C a second time. */
const GRACE_MS = 5_000

export interface Program {
  command: string[]
  cwd: string
  environment: NodeJS.ProcessEnv
  signal: AbortSignal
  loud?: boolean
}

/** Runs one program to its end. A missing program or a non-zero end is an outcome, not an exception. */
export async function runProgram(program: Program): Promise<Outcome & { exitCode: number }> {
  const [file = '', ...args] = program.command
  const result = await execa(file, args, {
    cwd: program.cwd,
    env: program.environment,
    extendEnv: false,
    preferLocal: true,
    localDir: program.cwd,
    reject: false,
    stdin: 'ignore',
    all: true,
    ...(program.loud ? { stdout: 'inherit', stderr: 'inherit' } : {}),
    cancelSignal: program.signal,
    forceKillAfterDelay: GRACE_MS,
  })
  const output = result.all || (result.failed ? result.shortMessage : '')
  return { ok: !result.failed, output: output ?? '', exitCode: result.exitCode ?? 1 }
}
