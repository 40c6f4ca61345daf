import * as z from 'zod'
import { RehoboamError } from './errors.ts'
import { RunId } from './ids.ts'
import { Face } from './question.ts'

export const RuleEffect = z.enum(['allow', 'deny', 'ask'])
export type RuleEffect = z.infer<typeof RuleEffect>

export const RuleId = z.string().regex(/^r[1-9]\d{0,8}$/, 'a rule id is r and a number, such as r3')
export type RuleId = z.infer<typeof RuleId>

const ProjectPath = z
  .string()
  .max(4096)
  .regex(/^\/(?!.*\/\/)(?!(?:.*\/)?\.\.?(?:\/|$))(?:.*[^/])?$/s, 'a project is an absolute path without . and ..')

export const RuleScope = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('always') }),
  z.strictObject({ kind: z.literal('project'), project: ProjectPath }),
  /** Holds for the run and for its children (`<run>.<task>`). */
  z.strictObject({ kind: z.literal('run'), run: RunId }),
])
export type RuleScope = z.infer<typeof RuleScope>

export const Rule = z
  .strictObject({
    id: RuleId,
    effect: RuleEffect,
    tool: z.string(),
    pattern: z.string().nullable(),
    scope: RuleScope,
    addedAt: z.iso.datetime(),
    addedBy: Face,
  })
  .superRefine(({ tool, pattern }, context) => {
    const fault = faultOf(tool, pattern)
    if (fault !== null) context.addIssue({ code: 'custom', message: fault })
  })
export type Rule = z.infer<typeof Rule>

// Each request is held against all of them; a person has dozens. More than this is a program that went wrong.
export const MOST_RULES = 300

/** `$REHOBOAM_HOME/rules.json`. A file that is not this allows nothing: whoever reads it asks about everything. */
export const RulesFile = z.strictObject({
  version: z.literal(1),
  /** The number of the next rule's id. Ids are never given twice: the audit log names them. */
  next: z.int().min(1),
  rules: z
    .array(Rule)
    .max(MOST_RULES)
    .refine(rules => new Set(rules.map(({ id }) => id)).size === rules.length, 'two rules have the same id'),
})
export type RulesFile = z.infer<typeof RulesFile>

export type RuleText = { tool: string; pattern: string | null }

/** A rule as a person types it: `Bash(git status *)`, `Edit`, `Write(src/**)`, `WebFetch(domain:example.com)`. */
export function parseRule(typed: string): RuleText {
  const text = typed.trim()
  const [, tool = '', inside] = /^([^()\s]*)(?:\((.*)\))?$/s.exec(text) ?? []
  const pattern = inside === undefined || inside.trim() === '*' ? null : inside.trim()
  const fault = tool === '' ? shapeFault(text) : faultOf(tool, pattern)
  if (fault !== null) throw new RehoboamError('rule-wrong', fault, { rule: text.slice(0, LONGEST) })
  return { tool, pattern }
}

export function ruleText({ tool, pattern }: RuleText): string {
  return pattern === null ? tool : `${tool}(${pattern})`
}

/** A command pattern, word by word. `rest`: it ended in ` *`, so that any arguments may follow, or none. */
export type CommandPattern = { words: string[]; rest: boolean }

export function commandPattern(pattern: string): CommandPattern {
  const read = readWords(pattern)
  if (typeof read === 'string') throw new RehoboamError('rule-wrong', read)
  return read
}

/** The word as a rule writes it; null when a rule has no way to write it. */
export function ruleWord(word: string): string | null {
  if (new RegExp(`^${PLAIN}$`).test(word)) return word
  if (UNPRINTABLE.test(word)) return null
  if (!word.includes("'")) return `'${word}'`
  return /["$`\\]/.test(word) ? null : `"${word}"`
}

const LONGEST = 1000
/** Tools whose rules say which command. */
export const SHELL_TOOLS: readonly string[] = ['Bash', 'Monitor']
/** Tools whose rules say which files. */
export const FILE_TOOLS: readonly string[] = ['Edit', 'Write', 'Read', 'MultiEdit', 'NotebookEdit']
const OTHER_TOOLS = ['WebFetch', 'WebSearch', 'Grep', 'Glob', 'Agent', 'Task', 'Skill', 'ExitPlanMode']

// Control and bidirectional characters: a rule that reads differently from what it is fools whoever lists it.
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u

// What a shell takes as it stands. `[` and `]` alone are the names of a program and its last argument.
const PLAIN = '(?:[A-Za-z0-9_./:=@%+,^-]+|\\[|\\])'

function shapeFault(text: string): string {
  const form = 'a rule is a tool, and in parentheses what for: Bash(git status *), Edit, Write(src/**)'
  if (text === '') return form
  if (text.includes('(') && !text.endsWith(')')) return `the parenthesis is not closed; ${form}`
  return form
}

function faultOf(tool: string, pattern: string | null): string | null {
  return toolFault(tool) ?? (pattern === null ? null : patternFault(tool, pattern))
}

function toolFault(tool: string): string | null {
  if (!/^[A-Za-z][A-Za-z0-9_-]{0,199}(?<=[^*])$/.test(tool.replace(/^(mcp__.+__)\*$/, '$1x')))
    return 'a tool is a name such as Bash, Edit or mcp__server__tool; only mcp__server__* may end in *'
  if (tool === 'AskUserQuestion') return 'AskUserQuestion is a question to a person: no rule can answer it'
  if (tool.startsWith('mcp__')) return null
  const known = [...SHELL_TOOLS, ...FILE_TOOLS, ...OTHER_TOOLS].find(name => name.toLowerCase() === tool.toLowerCase())
  return known === undefined || known === tool ? null : `there is no tool ${tool}; write ${known}`
}

function patternFault(tool: string, pattern: string): string | null {
  if (pattern.trim() === '') return `say what ${tool} may be used for, or write ${tool} without parentheses`
  if (pattern.length > LONGEST) return `a pattern has at most ${LONGEST} characters`
  if (UNPRINTABLE.test(pattern)) return 'a pattern has no control characters and none that cannot be seen'
  if (SHELL_TOOLS.includes(tool)) {
    const read = readWords(pattern)
    return typeof read === 'string' ? read : null
  }
  if (FILE_TOOLS.includes(tool)) return fileFault(pattern)
  if (tool === 'WebFetch') return domainFault(pattern)
  return `rules for ${tool} have no pattern; write ${tool}`
}

function fileFault(pattern: string): string | null {
  if (/[[\]{}!\\]/.test(pattern)) return 'in a path only *, ** and ? are wild, and [ ] { } ! \\ cannot stand in it'
  if (pattern.split('/').includes('..')) return 'a path in a rule has no ..'
  if (/^~(?!\/)/.test(pattern)) return 'a path may begin with ~/, which is your own home'
  if (pattern.split('/').some(part => part.includes('**') && part !== '**')) return '** stands alone between slashes'
  return null
}

function domainFault(pattern: string): string | null {
  const domain = /^domain:(?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/
  return domain.test(pattern) ? null : 'a rule for WebFetch names a domain in lower case: WebFetch(domain:example.com)'
}

/** The words, or what is wrong. Quotes keep blanks together; nothing that a shell would expand can stand in a rule. */
function readWords(pattern: string): CommandPattern | string {
  const rest = / \*$/.test(pattern)
  const text = rest ? pattern.slice(0, -2).trimEnd() : pattern
  const word = `(?:${PLAIN}|'[^']*'|"[^"$\`\\\\]*")+`
  if (!new RegExp(`^${word}(?: +${word})*$`).test(text)) return wordsFault(text)
  const words = text.match(new RegExp(word, 'g'))!.map(found => found.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'))
  if (!/^[A-Za-z0-9_./[]/.test(words[0]!) || words[0]!.includes('='))
    return 'a rule for a command begins with the name of a program: Bash(git status *)'
  return { words, rest }
}

function wordsFault(text: string): string {
  if (text.includes(':*')) return 'write a blank before the star: Bash(npm test *), not Bash(npm test:*)'
  if (text.includes('*'))
    return "a * stands alone and last, after a blank: Bash(npm run *); quote it ('*') to mean a star"
  if (/['"]/.test(text.replace(/'[^']*'|"[^"$`\\]*"/g, '')))
    return 'a quote is not closed, or double quotes hold $, ` or \\; use single quotes'
  return 'a rule names one simple command in plain words: no ; & | < > ( ) $ ` \\ # ! ~ ? { }, unless in single quotes'
}
