import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { endProcesses } from '../end-processes.ts'
import { BoundedOutput } from './bounded-output.ts'

/** Everything that a ward starts inherits this, also what leaves its process group. */
export const WARD_MARK = 'REHOBOAM_WARD_KEY'

export type CommandExit =
  | { how: 'exited'; code: number }
  | { how: 'signalled'; signal: string }
  | { how: 'hung' }
  | { how: 'cancelled' }
  | { how: 'not-started'; why: string }

type CommandStart = {
  directory: string
  /** A line for the shell, or a program with its arguments. */
  command: string | string[]
  environment: Record<string, string>
  /** Names this ward among all others: what carries it belongs to it. */
  mark: string
  timeLimitMs: number
  graceMs: number
  /** The file for what it prints. */
  output: string
  signal: AbortSignal
}

// Both streams into one pipe, so that the lines stand in the order in which they were written. The command is an argument.
const LINE = ['-c', 'exec /bin/sh -c "$1" 2>&1', 'rehoboam-ward']
const PROGRAM = ['-c', 'exec "$@" 2>&1', 'rehoboam-ward']
// Who left every group and cleared its environment may hold the pipe for ever; its last words are not worth waiting for.
const PIPE_MS = 1_000
// The longest that a timer can be set to; a limit beyond 24 days is none.
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** One command to its end, in a group of its own, without a terminal; nothing that it started is left. */
export async function runCommand(start: CommandStart): Promise<{ exit: CommandExit; durationMs: number }> {
  const output = await BoundedOutput.create(start.output)
  const startedMs = performance.now()
  const exit = await runInto(output, start)
  const durationMs = Math.round(performance.now() - startedMs)
  await output.close()
  return { exit, durationMs }
}

/** What is left of a ward of this mark, of an earlier life of ours too. */
export function endWard(mark: string, graceMs: number): Promise<void> {
  return endProcesses(null, `${WARD_MARK}=${mark}`, graceMs)
}

async function runInto(output: BoundedOutput, start: CommandStart): Promise<CommandExit> {
  if (start.signal.aborted) return { how: 'cancelled' }
  // The one thing that no process can be started with, and that spawn throws for instead of saying so.
  const words = typeof start.command === 'string' ? [...LINE, start.command] : [...PROGRAM, ...start.command]
  if (words.some(word => word.includes('\0'))) return { how: 'not-started', why: 'the command holds a zero byte' }
  const child = spawn('/bin/sh', words, {
    cwd: start.directory,
    env: { ...start.environment, [WARD_MARK]: start.mark },
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  child.stdout.on('data', chunk => output.add(chunk))
  const closed = new Promise<void>(resolve => child.once('close', () => resolve()))
  const exit = await firstCause(child, start)
  if (child.pid === undefined) return exit
  await endProcesses(child.pid, `${WARD_MARK}=${start.mark}`, start.graceMs)
  const enough = new AbortController()
  await Promise.race([closed, delay(PIPE_MS, undefined, { signal: enough.signal }).catch(() => {})])
  enough.abort()
  child.stdout.destroy()
  return exit
}

/** The first cause counts: what is ended because it hangs also ends by a signal. */
function firstCause(child: ChildProcess, { timeLimitMs, signal }: CommandStart): Promise<CommandExit> {
  return new Promise(resolve => {
    const is = (exit: CommandExit) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', cancelled)
      resolve(exit)
    }
    const cancelled = () => is({ how: 'cancelled' })
    const timer = setTimeout(() => is({ how: 'hung' }), Math.min(timeLimitMs, LONGEST_TIMER_MS))
    signal.addEventListener('abort', cancelled)
    child.once('error', error => is({ how: 'not-started', why: error.message }))
    child.once('exit', (code, by) =>
      is(code === null ? { how: 'signalled', signal: `${by}` } : { how: 'exited', code }),
    )
  })
}
