import { spawn } from 'node:child_process'
import { type CommandHook, type Heard, isObject, type Payload, type Reply } from './hook.ts'

type Place = { cwd: string; env: NodeJS.ProcessEnv; timeoutMs: number; signal: AbortSignal }

// A shell says so when the program is not there, or may not be run.
const NOT_RUN = [126, 127]

/** Runs it by the shell, with the event on its stdin, and takes its exit code and its stdout for an answer. */
export function runCommand(hook: CommandHook, payload: Payload, place: Place): Promise<Heard> {
  return new Promise(resolve => {
    const { cwd, env, signal } = place
    // A session of its own, as the client gives it: a key pressed in a terminal must not end a hook.
    const child = spawn('/bin/sh', ['-c', hook.command], { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
    let [stdout, stderr] = ['', '']
    const settle = (reply: Reply, code: number) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', cancel)
      resolve({ ...reply, stdout, stderr, code })
    }
    const give = (how: 'timed-out' | 'cancelled') => {
      terminate(child.pid)
      settle({ how }, 1)
    }
    const cancel = () => give('cancelled')
    const timer = setTimeout(() => give('timed-out'), place.timeoutMs)
    signal.addEventListener('abort', cancel)
    child.stdout.setEncoding('utf8').on('data', text => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', text => {
      stderr += text
    })
    child.on('error', error => settle({ how: 'failed', why: error.message, unheard: true }, 1))
    child.on('close', code => settle(replyOf(hook, code ?? 1, stdout, stderr), code ?? 1))
    // A hook that does not care what happened may be gone before it is told.
    child.stdin.on('error', () => {})
    child.stdin.end(`${JSON.stringify(payload)}\n`)
  })
}

function replyOf({ command }: CommandHook, code: number, stdout: string, stderr: string): Reply {
  if (code === 2) return { how: 'objected', why: `[${command}]: ${stderr || 'No stderr output'}` }
  if (code !== 0) return { how: 'failed', why: stderr, unheard: NOT_RUN.includes(code) }
  return { how: 'answered', json: jsonIn(stdout) }
}

/** What is not JSON from its first character on is talk, and decides nothing. */
function jsonIn(stdout: string): Record<string, unknown> {
  if (!stdout.trim().startsWith('{')) return {}
  try {
    const value: unknown = JSON.parse(stdout)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

function terminate(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGTERM')
  } catch {
    // It has ended by itself.
  }
}
