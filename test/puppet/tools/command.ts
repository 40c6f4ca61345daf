import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { randomName } from '../random-name.ts'

/** A shell command that runs, or ran. Its output is in a file, so that it may go on when nobody waits for it any more. */
export type Command = {
  id: string
  text: string
  outputFile: string
  ended: Promise<number>
  output(): string
  /** The directory in which it ended; undefined when it did not get to its end. */
  lastDirectory(): string | undefined
  kill(): void
  forget(): void
}

// The real client gives each command a session of its own. So does the puppet: whoever kills only the client's process
// group leaves the command running, and a rehearsal must show that.
export function startCommand(command: string, cwd: string, folder: string, env: NodeJS.ProcessEnv): Command {
  mkdirSync(folder, { recursive: true })
  const id = `b${randomName(8)}`
  const outputFile = join(folder, `${id}.output`)
  const directoryFile = join(folder, `${id}.cwd`)
  const fd = openSync(outputFile, 'w')
  const script = 'eval "$1"; code=$?; pwd -P > "$2"; exit $code'
  const child = spawn('/bin/bash', ['-c', script, 'bash', command, directoryFile], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', fd, fd],
  })
  closeSync(fd)
  const ended = new Promise<number>(resolve => {
    child.on('error', () => resolve(127))
    child.on('exit', code => resolve(code ?? 137))
  })
  return {
    id,
    text: command,
    outputFile,
    ended,
    output: () => readFileSync(outputFile, 'utf8').replace(/\n+$/, ''),
    lastDirectory: () => (existsSync(directoryFile) ? readFileSync(directoryFile, 'utf8').trim() : undefined),
    kill: () => {
      try {
        process.kill(-child.pid!, 'SIGKILL')
      } catch {
        // It has ended by itself.
      }
    },
    forget: () => {
      rmSync(outputFile, { force: true })
      rmSync(directoryFile, { force: true })
    },
  }
}
