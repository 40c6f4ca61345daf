import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Background } from './background.ts'
import { commandEnv } from './child-env.ts'
import { clear } from './clearance.ts'
import type { Hooks } from './hooks/hooks.ts'
import type { ToolUse } from './message.ts'
import { offered } from './request-body.ts'
import type { Settings } from './settings.ts'
import { readOnly } from './shell-words.ts'
import { BashTool } from './tools/bash.ts'
import { FileTools } from './tools/files.ts'
import { answered, failed, misused, type Outcome } from './tools/outcome.ts'
import { provide, STRUCTURED_OUTPUT } from './tools/structured-output.ts'

export type Result = {
  call: ToolUse
  outcome: Outcome
  meta?: Record<string, unknown>
  /** Somebody, or some rule, did not want it. */
  denied?: true
  /** What the stream says of that, where it says something. */
  denial?: Record<string, unknown>
}

const REQUIRED: Record<string, string[]> = {
  Bash: ['command'],
  Read: ['file_path'],
  Write: ['file_path', 'content'],
  Edit: ['file_path', 'old_string', 'new_string'],
}

/** The tools of one session, behind its permissions. */
export class Toolbox {
  private readonly settings: Settings
  private readonly hooks: Hooks
  private readonly bash: BashTool
  private readonly files: FileTools

  constructor(settings: Settings, session: string, background: Background, hooks: Hooks) {
    const { cwd, directories } = settings
    const project = cwd.replace(/[^A-Za-z0-9]/g, '-')
    const folder = join(tmpdir(), `claude-${process.getuid?.() ?? 0}`, project, session, 'tasks')
    const moved = (to: string) => {
      this.files.cwd = to
      hooks.moved(to)
    }
    this.settings = settings
    this.hooks = hooks
    this.bash = new BashTool({ env: commandEnv(session), folder, home: cwd, directories, background, moved })
    this.files = new FileTools(cwd)
  }

  /** Calls that change nothing run side by side, others one after the other; each result is told when it is there. */
  async runAll(calls: ToolUse[], tell: (result: Result) => void): Promise<Result[]> {
    const all: Promise<Result>[] = []
    let beside: Promise<Result>[] = []
    for (const call of calls) {
      const safe = call.name === 'Read' || (call.name === 'Bash' && readOnly(String(call.input.command)))
      if (!safe) {
        await Promise.all(beside)
        beside = []
      }
      const running = this.run(call).then(result => {
        tell(result)
        return result
      })
      all.push(running)
      if (safe) beside.push(running)
      else await running
    }
    return Promise.all(all)
  }

  killAll(): void {
    this.bash.killAll()
  }

  private async run(call: ToolUse): Promise<Result> {
    const wrong = this.wrongCall(call)
    if (wrong) return { call, outcome: wrong }
    const clearance = await clear(this.settings, this.hooks, call)
    if (clearance.how === 'cancelled') return { call, outcome: failed('') }
    const meta = { id: call.id, ...clearance.meta }
    if (clearance.how === 'denied') {
      const { message, told } = clearance
      const denial = told ? { denial: { tool_name: call.name, tool_use_id: call.id, ...told } } : {}
      return { call, outcome: failed(message), meta, denied: true, ...denial }
    }
    const cleared = { ...call, input: clearance.input }
    // A hook may have changed the input, and not for the better.
    const outcome = this.wrongCall(cleared) ?? (await this.perform(cleared))
    return { call, outcome, meta }
  }

  private async perform(call: ToolUse): Promise<Outcome> {
    const startedAt = performance.now()
    const outcome = await this.execute(call)
    const durationMs = Math.round(performance.now() - startedAt)
    if (outcome.isError) await this.hooks.toolFailed(call, outcome.text, durationMs)
    else await this.hooks.toolEnded(call, outcome.detail, durationMs)
    return outcome
  }

  private async ask(name: string, input: Record<string, unknown>): Promise<Outcome> {
    const prefix = (server: string) => `mcp__${server}__`
    const asked = this.settings.servers.find(server => name.startsWith(prefix(server.name)))!
    return answered(await asked.call(name.slice(prefix(asked.name).length), input))
  }

  private wrongCall({ name, input }: ToolUse): Outcome | undefined {
    if (!offered(this.settings).includes(name)) return misused(`Error: No such tool available: ${name}`)
    if (name.startsWith('mcp__') || name === STRUCTURED_OUTPUT) return undefined
    const missing = REQUIRED[name]!.find(field => input[field] === undefined)
    if (!missing) return name === 'Bash' ? this.bash.wrong(input) : this.files.wrong(name, input)
    return misused(
      `InputValidationError: ${name} failed due to the following issue:\nThe required parameter \`${missing}\` is missing`,
    )
  }

  private execute({ id, name, input }: ToolUse): Promise<Outcome> | Outcome {
    if (name.startsWith('mcp__')) return this.ask(name, input)
    if (name === STRUCTURED_OUTPUT) return provide(this.settings.schema!, input)
    if (name === 'Bash') return this.bash.run(id, input)
    if (name === 'Read') return this.files.read(input)
    return name === 'Write' ? this.files.write(input) : this.files.edit(input)
  }
}
