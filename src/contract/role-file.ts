import { RoleName } from './ids.ts'
import { nearest } from './nearest.ts'
import { printable, quoted } from './printable.ts'
import { SIGNAL_KINDS, type SignalKind } from './quest-tools.ts'

/**
 * A role of a quest as a Markdown file: front matter of `key: value` lines between two lines of `---`, and below it the
 * prompt. A project's file comes with a clone, so it can say how a role works, and nothing that gives it a permission.
 */

/** What one file says. A key that is left out is null: it is as the role that the file overrides has it. */
export type RoleFile = {
  name: RoleName
  description: string | null
  model: string | null
  effort: string | null
  /** The client's own tools that it has. Null: all of them. Having a tool is not being allowed to use it unasked. */
  tools: string[] | null
  driver: 'headless' | 'pane' | null
  maySignal: SignalKind[] | null
  mayChange: MayChange | null
  /** Empty: the words of the role that it overrides. */
  prompt: string
}

const MAY_CHANGE = ['nothing', 'tests', 'everything'] as const
export type MayChange = (typeof MAY_CHANGE)[number]

type RoleFault = { line: number; sentence: string }

// Four times our longest. A prompt of a role is paid for in every session that plays it.
export const ROLE_FILE_LIMIT = 64_000
const MOST_FAULTS = 5

/** The role that a file of this name (without `.md`) describes, or what is wrong with it, line by line. */
export function parseRoleFile(name: string, text: string): { role: RoleFile } | { faults: RoleFault[] } {
  if (!RoleName.safeParse(name).success) {
    return whole(`${quoted(name)} is no name of a role: lower case letters, digits and -, at most 32`)
  }
  if (text.length > ROLE_FILE_LIMIT) return whole(`it is longer than ${ROLE_FILE_LIMIT} characters`)
  const lines = text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\r|\n/)
    .map(line => line.toWellFormed())
  if (lines[0]?.trimEnd() !== '---') return { role: roleOf(name, new Map(), lines) }
  const end = lines.findIndex((line, n) => n > 0 && line.trimEnd() === '---')
  if (end < 0) return whole('its front matter has no end: a line of --- below the keys is missing')
  const { values, faults } = readKeys(lines.slice(1, end))
  if (faults.length) return { faults: faults.slice(0, MOST_FAULTS) }
  return { role: roleOf(name, values, lines.slice(end + 1)) }
}

function whole(sentence: string): { faults: RoleFault[] } {
  return { faults: [{ line: 1, sentence }] }
}

type Values = Map<string, unknown>
type Read = { value: unknown } | { wrong: string }

const KEYS: Record<string, (text: string) => Read> = {
  description: text => (text.length <= 200 ? { value: text } : { wrong: 'is longer than 200 characters' }),
  model: word(/^[\w.:/@[\]-]{1,200}$/, 'is no name of a model'),
  effort: oneOf(['low', 'medium', 'high', 'xhigh', 'max']),
  tools: listOf(/^[A-Za-z][\w-]{0,199}$/, name =>
    name.includes('(')
      ? 'lists tools by name only; what they may do without asking is for rules and --allowed-tools'
      : `${quoted(name)} is no name of a tool`,
  ),
  driver: oneOf(['headless', 'pane']),
  'may-signal': maySignal,
  'may-change': oneOf(MAY_CHANGE),
}

function readKeys(lines: string[]): { values: Values; faults: RoleFault[] } {
  const values: Values = new Map()
  const faults: RoleFault[] = []
  for (const [n, line] of lines.entries()) {
    if (/^\s*(#|$)/.test(line)) continue
    const sentence = readKey(line, values)
    // The first line of the file is the ---.
    if (sentence !== null) faults.push({ line: n + 2, sentence })
  }
  return { values, faults }
}

/** Puts the line's value among the others; else what is wrong with it. */
function readKey(line: string, values: Values): string | null {
  const at = line.indexOf(':')
  if (at < 0) return `${quoted(line)} is not "key: value"`
  const key = line.slice(0, at).trim()
  const read = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined
  if (!read) return unknownKey(key)
  if (values.has(key)) return `${key} is there twice`
  const text = unquoted(line.slice(at + 1).trim())
  if (text === '') return `${key} has no value; leave the line out instead`
  const result = read(text)
  if ('wrong' in result) return `${key} ${result.wrong}`
  values.set(key, result.value)
  return null
}

function unknownKey(key: string): string {
  const names = Object.keys(KEYS)
  const near = nearest(key, names)
  return `there is no key ${quoted(key)}${near ? `; did you mean ${near}?` : `; there are ${names.join(', ')}`}`
}

function unquoted(text: string): string {
  const [, quote, inside] = /^(["'])(.*)\1$/.exec(text) ?? []
  return quote ? inside!.trim() : text
}

function word(pattern: RegExp, wrong: string) {
  return (text: string): Read => (pattern.test(text) ? { value: text } : { wrong: `${quoted(text)} ${wrong}` })
}

function oneOf(choices: readonly string[]) {
  return (text: string): Read => {
    if (choices.includes(text)) return { value: text }
    const near = nearest(text, choices)
    return { wrong: `is ${quoted(text)}; ${near ? `did you mean ${near}?` : `it can be ${choices.join(', ')}`}` }
  }
}

function listOf(pattern: RegExp, wrong: (entry: string) => string) {
  return (text: string): Read => {
    const entries = entriesOf(text)
    const bad = entries.find(entry => !pattern.test(entry))
    if (bad !== undefined) return { wrong: wrong(bad) }
    return entries.length > 100 ? { wrong: 'lists more than 100' } : { value: [...new Set(entries)] }
  }
}

function maySignal(text: string): Read {
  const entries = entriesOf(text)
  const one = oneOf(SIGNAL_KINDS)
  const bad = entries.map(one).find(read => 'wrong' in read)
  if (bad) return bad
  // Without it no session of the role could ever end well.
  if (!entries.includes('complete')) return { wrong: 'has no complete, and without that the role can never finish' }
  return { value: SIGNAL_KINDS.filter(kind => entries.includes(kind)) }
}

/** `a, b` and `[a, b]`. */
function entriesOf(text: string): string[] {
  const inside = /^\[(.*)\]$/.exec(text)?.[1] ?? text
  return inside
    .split(',')
    .map(entry => unquoted(entry.trim()))
    .filter(Boolean)
}

function roleOf(name: string, values: Values, prompt: string[]): RoleFile {
  const value = (key: string) => values.get(key) ?? null
  return {
    name,
    description: value('description') === null ? null : printable(value('description') as string),
    model: value('model') as string | null,
    effort: value('effort') as string | null,
    tools: value('tools') as string[] | null,
    driver: value('driver') as RoleFile['driver'],
    maySignal: value('may-signal') as SignalKind[] | null,
    mayChange: value('may-change') as MayChange | null,
    prompt: prompt.join('\n').trim(),
  }
}
