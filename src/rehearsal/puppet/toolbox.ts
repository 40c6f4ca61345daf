import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Background } from './background.ts'
import type { ToolUse } from './message.ts'
import { decide } from './permission.ts'
import { offered } from './request-body.ts'
import type { Settings } from './settings.ts'
import { readOnly } from './shell-words.ts'
import { BashTool } from './tools/bash.ts'
import { FileTools } from './tools/files.ts'
import { misused, type Outcome } from './tools/outcome.ts'
import { VERSION } from './version.ts'

export type Result = {
  call: ToolUse
  outcome: Outcome
  meta: Record<string, unknown> | undefined
  denial: Record<string, unknown> | undefined
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
  private readonly bash: BashTool
  private readonly files: FileTools

  constructor(settings: Settings, session: string, background: Background) {
    const { cwd, directories } = settings
    const project = cwd.replace(/[^A-Za-z0-9]/g, '-')
    const folder = join(tmpdir(), `claude-${process.getuid?.() ?? 0}`, project, session, 'tasks')
    this.settings = settings
    this.bash = new BashTool({ env: childEnv(session), folder, home: cwd, directories, background })
    this.files = new FileTools(cwd)
  }

  /** Calls that change nothing run side by side, others one after the other; each result is told when it is there. */
  async runAll(calls: ToolUse[], tell: (result: Result) => void): Promise<void> {
    let beside: Promise<void>[] = []
    for (const call of calls) {
      const safe = call.name === 'Read' || (call.name === 'Bash' && readOnly(String(call.input.command)))
      if (!safe) {
        await Promise.all(beside)
        beside = []
      }
      const running = this.run(call).then(tell)
      if (safe) beside.push(running)
      else await running
    }
    await Promise.all(beside)
  }

  killAll(): void {
    this.bash.killAll()
  }

  private async run(call: ToolUse): Promise<Result> {
    const wrong = this.wrongCall(call)
    if (wrong) return { call, outcome: wrong, meta: undefined, denial: undefined }
    const verdict = decide(this.settings, call.name, call.input)
    if (verdict.allowed) {
      const meta = {
        id: call.id,
        permission_decision: { decision: 'accept', source: 'config', reason_type: verdict.why },
      }
      const outcome = await this.execute(call)
      // A call that was itself a mistake never got as far as a decision.
      return { call, outcome, meta: outcome.text.startsWith('<tool_use_error>') ? undefined : meta, denial: undefined }
    }
    const { message, kind, more } = verdict
    return {
      call,
      outcome: { text: message, isError: true, detail: `Error: ${message}` },
      meta: { id: call.id, non_execution_kind: kind, permission_decision: { decision: 'reject', source: 'config' } },
      denial: { tool_name: call.name, tool_use_id: call.id, ...more, message },
    }
  }

  private wrongCall({ name, input }: ToolUse): Outcome | undefined {
    if (!offered(this.settings).includes(name)) return misused(`Error: No such tool available: ${name}`)
    const missing = REQUIRED[name]!.find(field => input[field] === undefined)
    if (!missing) return undefined
    return misused(
      `InputValidationError: ${name} failed due to the following issue:\nThe required parameter \`${missing}\` is missing`,
    )
  }

  private execute({ id, name, input }: ToolUse): Promise<Outcome> | Outcome {
    if (name === 'Bash') return this.bash.run(id, input)
    if (name === 'Read') return this.files.read(input)
    return name === 'Write' ? this.files.write(input) : this.files.edit(input)
  }
}

/** A command knows that an agent runs it, and which. */
function childEnv(session: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    AI_AGENT: `claude-code_${VERSION.replaceAll('.', '-')}_agent`,
    CLAUDECODE: '1',
    CLAUDE_CODE_CHILD_SESSION: '1',
    CLAUDE_CODE_ENTRYPOINT: 'sdk-cli',
    CLAUDE_CODE_SESSION_ATTENDED: '0',
    CLAUDE_CODE_SESSION_ID: session,
    CLAUDE_PID: String(process.pid),
    GIT_EDITOR: 'true',
  }
}
