import { resolve } from 'node:path'
import type { Settings } from './settings.ts'
import { firstWrite, readOnly, subcommands, writesOnly } from './shell-words.ts'
import { STRUCTURED_OUTPUT } from './tools/structured-output.ts'
import { within } from './within.ts'

export type Denial = { allowed: false; message: string; kind: string; more: Record<string, unknown> }
export type Verdict = { allowed: true; why: string } | Denial
type Input = Record<string, unknown>

/** May this call run? Roughly as the client decides when nobody is there to be asked: what would be asked is denied. */
export function decide(settings: Settings, tool: string, input: Input): Verdict {
  if (tool === STRUCTURED_OUTPUT) return { allowed: true, why: 'other' }
  if (settings.mode === 'bypassPermissions') return { allowed: true, why: 'mode' }
  if (settings.allowed.some(rule => covers(rule, tool, input))) return { allowed: true, why: 'rule' }
  const refusal = settings.mode === 'dontAsk' ? dontAsk(tool) : undefined
  const verdict = tool === 'Bash' ? bash(settings, String(input.command)) : files(settings, tool, input)
  return verdict.allowed || !refusal ? verdict : refusal
}

/** `Write`, `Bash(npm test)`, `Bash(git *)`, `Bash(git:*)`. */
function covers(rule: string, tool: string, input: Input): boolean {
  const [, name, pattern] = /^([^(]+)(?:\((.*)\))?$/.exec(rule) ?? []
  // A server's name alone is all of its tools.
  if (name !== tool) return pattern === undefined && name!.startsWith('mcp__') && tool.startsWith(`${name}__`)
  if (pattern === undefined || tool !== 'Bash') return pattern === undefined
  const prefix = pattern.replace(/(:|\s)?\*$/, '')
  const open = prefix !== pattern
  return subcommands(String(input.command)).every(c => c === prefix || (open && c.startsWith(`${prefix} `)))
}

function files(settings: Settings, tool: string, input: Input): Verdict {
  if (tool === 'Read') return path(settings, input, true, 'read from')
  if (tool !== 'Write' && tool !== 'Edit')
    return denied(`Claude requested permissions to use ${tool}, but you haven't granted it yet.`)
  if (settings.mode === 'plan') return denied(`Cannot write to ${input.file_path} while in plan mode.`)
  return path(settings, input, edits(settings), 'write to')
}

function path(settings: Settings, input: Input, inside: boolean, what: string): Verdict {
  const asked = `Claude requested permissions to ${what} ${input.file_path}, but you haven't granted it yet.`
  const file = resolve(settings.cwd, String(input.file_path))
  if (settings.directories.some(directory => within(file, directory)))
    return inside ? { allowed: true, why: 'mode' } : denied(asked)
  return denied(asked, {
    decision_reason_type: 'workingDir',
    decision_reason: 'Path is outside allowed working directories',
  })
}

function bash(settings: Settings, command: string): Verdict {
  if (readOnly(command)) return { allowed: true, why: 'subcommandResults' }
  if (edits(settings) && writesOnly(command, settings.cwd, settings.directories))
    return { allowed: true, why: 'subcommandResults' }
  const write = firstWrite(command)
  if (write) return denied(writeSentence(settings, write.deed, resolve(settings.cwd, write.path)))
  const why = 'This command requires approval'
  return denied(why, { decision_reason_type: 'other', decision_reason: why })
}

function writeSentence({ cwd, directories }: Settings, deed: string, path: string): string {
  const inside = directories.some(directory => within(path, directory))
  const rest = inside
    ? `inside the working directories for this session ('${cwd}'), and Claude Code asks before a shell command creates, changes or removes files there.`
    : `outside the working directories for this session ('${cwd}'). Allowing runs the command as written.`
  return `${deed} '${path}' needs approval. The path is ${rest}`
}

function edits({ mode }: Settings): boolean {
  return mode === 'acceptEdits' || mode === 'auto'
}

function denied(message: string, more: Record<string, unknown> = {}): Verdict {
  return { allowed: false, message, kind: 'user-rejected', more }
}

const ADVICE =
  "IMPORTANT: You *may* attempt to accomplish this action using other tools that might naturally be used to accomplish this goal, e.g. using head instead of cat. But you *should not* attempt to work around this denial in malicious ways, e.g. do not use your ability to run tests to execute non-test actions. You should only try to work around this restriction in reasonable ways that do not attempt to bypass the intent behind this denial. If you believe this capability is essential to complete the user's request, STOP and explain to the user what you were trying to do and why you need this permission. Let the user decide how to proceed."

function dontAsk(tool: string): Verdict {
  const message = `Permission to use ${tool} has been denied because Claude Code is running in don't ask mode. ${ADVICE}`
  return { allowed: false, message, kind: 'permission-rule', more: { decision_reason_type: 'mode' } }
}
