import type { Rule } from '../../../contract/rule.ts'
import { type FileUse, judgeFile } from './files.ts'
import { type Ground, pathFrom } from './ground.ts'
import { namesTool, type RulesInForce } from './in-force.ts'
import { asks, type Finding } from './permission.ts'

/** The tools that name one file, what they do with it, and where in their input it stands. */
const TOOLS: Record<string, { use: FileUse; field: string }> = {
  Write: { use: 'Write', field: 'file_path' },
  Edit: { use: 'Edit', field: 'file_path' },
  MultiEdit: { use: 'Edit', field: 'file_path' },
  NotebookEdit: { use: 'Edit', field: 'notebook_path' },
  Read: { use: 'Read', field: 'file_path' },
}

/** They look into a directory. A rule for them has no pattern, but what may not be read may not be searched either. */
const SEARCHES = ['Grep', 'Glob', 'LS']

export function judgeFileTool(tool: string, input: unknown, rules: RulesInForce, ground: Ground): Finding[] | null {
  if (SEARCHES.includes(tool)) return judgeSearch(tool, input, rules, ground)
  const known = Object.hasOwn(TOOLS, tool) ? TOOLS[tool] : undefined
  if (known === undefined) return null
  const path = pathIn(input, known.field, ground)
  // Rules for MultiEdit and NotebookEdit speak of editing, each for its own tool only.
  const own = (of: Rule[]) => of.map(rule => (rule.tool === tool ? { ...rule, tool: known.use } : rule))
  const { allow, deny, ask } = rules
  return [judgeFile(known.use, path, { allow: own(allow), deny: own(deny), ask: own(ask) }, ground)]
}

function judgeSearch(tool: string, input: unknown, rules: RulesInForce, ground: Ground): Finding[] {
  const field = fieldOf(input, 'path')
  const path = field === undefined ? ground.cwd : pathIn(input, 'path', ground)
  const denied = rules.deny.find(rule => namesTool(rule, tool))
  if (denied) return [{ effect: 'deny', rule: denied.id, why: `rule ${denied.id} denies ${tool}` }]
  const allowed = rules.allow.find(rule => namesTool(rule, tool))
  if (!allowed) return [asks(`no rule matches ${tool}`)]
  // Judged as a reading that this rule allows: denials of Read and the project's border hold for it too.
  return [judgeFile('Read', path, { ...rules, allow: [{ ...allowed, tool: 'Read', pattern: null }] }, ground)]
}

function pathIn(input: unknown, field: string, ground: Ground): string | null {
  const path = fieldOf(input, field)
  // A tool takes ~ for a name like any other; what the client makes of it is not for us to guess.
  return typeof path !== 'string' || path.startsWith('~') ? null : pathFrom(ground.cwd, path, ground)
}

export function fieldOf(input: unknown, field: string): unknown {
  if (typeof input !== 'object' || input === null || !Object.hasOwn(input, field)) return undefined
  return (input as Record<string, unknown>)[field]
}
