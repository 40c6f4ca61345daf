import { parseRule, type Rule, type RuleEffect, ruleText, SHELL_TOOLS } from '../../../contract/rule.ts'
import { decide } from './decide.ts'
import { readAddress } from './fetch-tool.ts'
import { fieldOf } from './file-tool.ts'
import { below, groundOf, isInside, pathFrom } from './ground.ts'
import type { PermissionRequest } from './permission.ts'
import { readCommandLine } from './shell/source.ts'
import { suggestForCommand } from './shell/suggest-command.ts'

/**
 * The narrowest sensible rules that would give this effect for this request and for others like it: one, or for a compound
 * command one for each simple command in it. null: no rules would, so that offering "always" would be a lie.
 */
export function suggestRules(
  request: PermissionRequest,
  effect: Exclude<RuleEffect, 'ask'> = 'allow',
): string[] | null {
  const texts = SHELL_TOOLS.includes(request.tool) ? forCommands(request) : forTool(request)
  if (texts === null || texts.length === 0) return null
  // Denying each part of a compound would deny `cd src` for ever after.
  if (effect === 'deny' && texts.length > 1) return null
  const rules = texts.map((text, index): Rule => ({ ...asRule(text), id: `r${index + 1}`, effect }))
  return decide(request, rules).effect === effect ? texts : null
}

function asRule(text: string): Rule {
  const scope = { kind: 'always' } as const
  return { ...parseRule(text), id: 'r1', effect: 'ask', scope, addedAt: '1970-01-01T00:00:00.000Z', addedBy: 'cli' }
}

function forCommands({ tool, input, ...request }: PermissionRequest): string[] | null {
  const command = fieldOf(input, 'command')
  const ground = groundOf({ ...request, tool, input })
  if (typeof command !== 'string' || ground === null) return null
  const texts = new Set<string>()
  for (const part of readCommandLine(command).parts) {
    if (part.type !== 'command' && part.type !== 'file') continue
    const text =
      part.type === 'command'
        ? suggestForCommand(part.words)
        : part.word.value === '/dev/null'
          ? undefined
          : forFile(part.use, part.word.value, request, ground.cwd)
    if (text === undefined) continue
    if (text === null || (part.type === 'command' && !isRule(tool, text))) return null
    texts.add(part.type === 'command' ? ruleText({ tool, pattern: text }) : text)
  }
  return [...texts]
}

function forTool({ tool, input, ...request }: PermissionRequest): string[] | null {
  const whole = { ...request, tool, input }
  switch (tool) {
    case 'AskUserQuestion':
    case 'ExitPlanMode':
      return null
    case 'WebFetch': {
      const address = readAddress(fieldOf(input, 'url'))
      return address?.plain ? [`WebFetch(domain:${address.host})`] : null
    }
    case 'Write':
    case 'Edit':
    case 'MultiEdit':
    case 'Read':
      return listed(forFile(tool, fieldOf(input, 'file_path'), whole, request.cwd))
    case 'NotebookEdit':
      return listed(forFile(tool, fieldOf(input, 'notebook_path'), whole, request.cwd))
    default:
      return isTool(tool) ? [tool] : null
  }
}

function forFile(
  tool: string,
  path: unknown,
  request: Omit<PermissionRequest, 'tool' | 'input'>,
  cwd: string,
): string | null {
  const ground = groundOf({ ...request, tool, input: null })
  const whole = ground === null || typeof path !== 'string' ? null : pathFrom(cwd, path, ground)
  if (whole === null || ground === null || whole === ground.root || !isInside(whole, ground.root)) return null
  // A path with [id] in it: a rule cannot write the brackets, one unknown letter each is as near as it gets.
  const pattern = below(whole, ground.root).replace(/[[\]{}!\\]/g, '?')
  return isRule(tool, pattern) ? ruleText({ tool, pattern }) : null
}

function listed(text: string | null): string[] | null {
  return text === null ? null : [text]
}

function isTool(tool: string): boolean {
  return isRule(tool, null)
}

function isRule(tool: string, pattern: string | null): boolean {
  try {
    const read = parseRule(ruleText({ tool, pattern }))
    return read.tool === tool && read.pattern === pattern
  } catch {
    return false
  }
}
