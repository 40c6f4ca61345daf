import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { parseStreamLine, type StreamLine } from '../../src/contract/stream.ts'

export type Ended = { code: number | null; signal: string | null; raw: string[]; lines: StreamLine[]; stderr: string }

export type Running = {
  pid: number
  lines: StreamLine[]
  /** The first line, past or coming, that fits; fails when none comes in time or the process ends before. */
  waitForLine(fits: (line: StreamLine) => boolean, timeoutMs?: number): Promise<StreamLine>
  /** To the whole group: the client and the commands that it runs. */
  kill(signal?: NodeJS.Signals): void
  ended: Promise<Ended>
}

export type Start = { program: string[]; args: string[]; prompt: string; cwd: string; env: Record<string, string> }

/** A headless client in a process group of its own, its prompt on stdin. */
export function startProcess({ program, args, prompt, cwd, env }: Start): Running {
  const [file, ...before] = program
  const child = spawn(file!, [...before, ...args], { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
  // A client that refuses its command line is gone before it has read its prompt.
  child.stdin.on('error', () => {})
  child.stdin.end(prompt)
  const raw: string[] = []
  const lines: StreamLine[] = []
  const watchers = new Set<() => void>()
  let stderr = ''
  let over = false
  child.stderr.setEncoding('utf8').on('data', text => {
    stderr += text
  })
  createInterface({ input: child.stdout }).on('line', line => {
    raw.push(line)
    lines.push(parseStreamLine(line))
    for (const look of watchers) look()
  })
  const ended = once(child, 'close').then(([code, signal]): Ended => {
    over = true
    for (const look of watchers) look()
    return { code, signal, raw, lines, stderr }
  })
  return {
    pid: child.pid!,
    lines,
    ended,
    kill: (signal = 'SIGKILL') => {
      try {
        process.kill(-child.pid!, signal)
      } catch {
        // The group is gone already, which is what was wanted.
      }
    },
    waitForLine: (fits, timeoutMs = 180_000) =>
      new Promise((resolve, reject) => {
        const settle = (end: () => void) => {
          clearTimeout(timer)
          watchers.delete(look)
          end()
        }
        const fail = (why: string) =>
          settle(() => reject(new Error(`${why}; lines: ${lines.map(l => l.type)}; stderr: ${stderr}`)))
        const look = () => {
          const found = lines.find(fits)
          if (found) settle(() => resolve(found))
          else if (over) fail('the client ended without such a line')
        }
        const timer = setTimeout(() => fail(`no such line within ${timeoutMs} ms`), timeoutMs)
        watchers.add(look)
        look()
      }),
  }
}
