import type { Background } from '../background.ts'
import { silent } from '../shell-words.ts'
import { within } from '../within.ts'
import { type Command, startCommand } from './command.ts'
import { done, failed, misused, type Outcome } from './outcome.ts'

const DEFAULT_TIMEOUT_MS = 120_000
// More than this reaches the model as a preview only.
const OUTPUT_LIMIT = 30_000

export type Shell = {
  env: NodeJS.ProcessEnv
  folder: string
  home: string
  directories: string[]
  background: Background
  moved: (cwd: string) => void
}

export class BashTool {
  private cwd: string
  private readonly running = new Set<Command>()
  private readonly shell: Shell

  constructor(shell: Shell) {
    this.shell = shell
    this.cwd = shell.home
  }

  /** A command that is not even tried. */
  wrong(input: Record<string, unknown>): Outcome | undefined {
    const blocked = longSleep(String(input.command))
    return blocked && input.run_in_background !== true ? misused(blocked) : undefined
  }

  async run(call: string, input: Record<string, unknown>): Promise<Outcome> {
    const text = String(input.command)
    const command = startCommand(text, this.cwd, this.shell.folder, this.shell.env)
    this.running.add(command)
    command.ended.then(() => this.running.delete(command))
    const description = String(input.description ?? text)
    if (input.run_in_background === true) return this.leave(command, call, description)
    const code = await inTime(command.ended, Number(input.timeout ?? DEFAULT_TIMEOUT_MS))
    // A command that takes too long is not killed: it goes on in the background.
    if (code === undefined) return this.leave(command, call, description)
    const output = command.output()
    const note = this.move(command.lastDirectory())
    command.forget()
    if (code !== 0) return failed([`Exit code ${code}`, shortened(output)].filter(Boolean).join('\n'))
    const said = { stdout: output, stderr: note, interrupted: false, isImage: false }
    const detail = { ...said, noOutputExpected: silent(text) }
    return done(
      [shortened(output), note.trim()].filter(Boolean).join('\n') || '(Bash completed with no output)',
      detail,
    )
  }

  killAll(): void {
    for (const command of this.running) command.kill()
  }

  private leave(command: Command, call: string, description: string): Outcome {
    this.shell.background.add(command, call, description)
    const text = `Command running in background with ID: ${command.id}. Output is being written to: ${command.outputFile}. You will be notified when it completes. To check interim output, use Read on that file path.`
    return done(text, {
      stdout: '',
      stderr: '',
      interrupted: false,
      isImage: false,
      noOutputExpected: false,
      backgroundTaskId: command.id,
    })
  }

  /** The next command starts where this one ended, unless that is somewhere it has no business. */
  private move(to: string | undefined): string {
    if (to === undefined || to === this.cwd) return ''
    if (this.shell.directories.some(directory => within(to, directory))) {
      this.go(to)
      return ''
    }
    this.go(this.shell.home)
    return `\nShell cwd was reset to ${this.shell.home}`
  }

  private go(cwd: string): void {
    this.cwd = cwd
    this.shell.moved(cwd)
  }
}

function inTime<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  return new Promise(resolve => {
    const timer = setTimeout(() => resolve(undefined), ms)
    promise.then(value => {
      clearTimeout(timer)
      resolve(value)
    })
  })
}

/** The client refuses to sit out a long sleep at the start of a command; short ones pass. */
function longSleep(command: string): string | undefined {
  const found = /^\s*sleep\s+(\d+)\s*(?:(?:;|&&)\s*(.+))?$/s.exec(command)
  if (!found || Number(found[1]) < 25) return undefined
  const what = found[2] ? `sleep ${found[1]} followed by: ${found[2]}` : `standalone sleep ${found[1]}`
  return `Blocked: ${what}. To wait for a condition, use Monitor with an until-loop (e.g. \`until <check>; do sleep 2; done\`). To wait for a command you started, use run_in_background: true. Do not chain shorter sleeps to work around this block.`
}

function shortened(output: string): string {
  if (output.length <= OUTPUT_LIMIT) return output
  return `<persisted-output>\nOutput too large (${(output.length / 1024).toFixed(1)}KB).\n\nPreview (first 2KB):\n${output.slice(0, 2048)}\n...\n</persisted-output>`
}
