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
  graceMs?: number
}

/** Runs one program to its end. A missing program or a non-zero end is an outcome, not an exception. */
export async function runProgram(program: Program): Promise<Outcome & { exitCode: number }> {
  const [file = '', ...args] = program.command
  const running = execa(file, args, {
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
    forceKillAfterDelay: program.graceMs ?? GRACE_MS,
    // A group of its own: a runner that was killed because it would not end leaves workers, and they are ended with it.
    detached: true,
  })
  const result = await running
  if (program.signal.aborted) endGroup(running.pid)
  const output = result.all || (result.failed ? result.shortMessage : '')
  return { ok: !result.failed, output: output ?? '', exitCode: result.exitCode ?? 1 }
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // All of it had ended by itself.
  }
}
