import { dirname, resolve } from 'node:path'
import type { Settings } from './settings.ts'
import { firstWrite, readOnly, subcommands, writesOnly } from './shell-words.ts'
import { within } from './within.ts'

type Input = Record<string, unknown>

const ACCEPT_EDITS = { type: 'setMode', mode: 'acceptEdits', destination: 'session' }

/** What the client proposes to allow for good, next to the one call that it asks about. Roughly its own proposals. */
export function suggestions(settings: Settings, tool: string, input: Input): unknown[] {
  if (tool === 'Bash') return forCommand(settings, String(input.command))
  const path = resolve(settings.cwd, String(input.file_path))
  if (tool === 'Read') return [rules([{ toolName: 'Read', ruleContent: `/${dirname(path)}/**` }], 'session')]
  const outside = !settings.directories.some(directory => within(path, directory))
  return [...acceptEdits(settings), ...(outside ? [directories(dirname(path))] : [])]
}

function forCommand(settings: Settings, command: string): unknown[] {
  const parts = subcommands(command)
  const write = parts.length === 1 ? firstWrite(command) : undefined
  if (write) {
    const redirected = write.deed.startsWith('Output')
    return [directories(dirname(resolve(settings.cwd, write.path))), ...(redirected ? [] : acceptEdits(settings))]
  }
  const { mode, cwd, directories: own } = settings
  const asked = parts.filter(part => !readOnly(part) && !(mode === 'acceptEdits' && writesOnly(part, cwd, own)))
  return [
    rules(
      asked.map(part => ({ toolName: 'Bash', ruleContent: pattern(part) })),
      'localSettings',
    ),
  ]
}

/** A program with a subcommand stands for all that begins so; anything else only for itself. */
function pattern(part: string): string {
  const [program, word] = part.split(/\s+/)
  return word && /^[a-z][a-z0-9-]*$/.test(word) ? `${program} ${word} *` : part
}

function acceptEdits({ mode }: Settings): unknown[] {
  return mode === 'default' ? [ACCEPT_EDITS] : []
}

function directories(path: string) {
  return { type: 'addDirectories', directories: [path], destination: 'session' }
}

function rules(rules: { toolName: string; ruleContent: string }[], destination: string) {
  return { type: 'addRules', rules, behavior: 'allow', destination }
}
