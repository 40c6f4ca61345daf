// The client's own command line, as far as anybody starts it with: the same names, the same arity, the same complaints.

export const MODES = ['acceptEdits', 'auto', 'bypassPermissions', 'manual', 'dontAsk', 'plan']
const FORMATS = ['text', 'json', 'stream-json']

type Arity = 'flag' | 'one' | 'many' | 'maybe'
type Option = {
  arity: Arity
  shown?: string
  short?: string
  also?: string
  choices?: string[]
  check?: (value: string) => string | undefined
}

const OPTIONS: Record<string, Option> = {
  '--print': { arity: 'flag', short: '-p' },
  '--version': { arity: 'flag', short: '-v' },
  '--verbose': { arity: 'flag' },
  '--output-format': { arity: 'one', shown: '<format>', choices: FORMATS },
  '--input-format': { arity: 'one', shown: '<format>', choices: ['text', 'stream-json'] },
  '--session-id': { arity: 'one', shown: '<uuid>' },
  '--resume': { arity: 'maybe', short: '-r' },
  '--fork-session': { arity: 'flag' },
  '--model': { arity: 'one', shown: '<model>' },
  '--fallback-model': { arity: 'one', shown: '<model>' },
  '--effort': { arity: 'one', shown: '<level>' },
  '--permission-mode': { arity: 'one', shown: '<mode>', choices: MODES },
  '--dangerously-skip-permissions': { arity: 'flag' },
  '--allowedTools': { arity: 'many', also: '--allowed-tools' },
  '--disallowedTools': { arity: 'many', also: '--disallowed-tools' },
  '--tools': { arity: 'many' },
  '--add-dir': { arity: 'many' },
  '--settings': { arity: 'one', shown: '<file-or-json>' },
  '--setting-sources': { arity: 'one', shown: '<sources>' },
  '--mcp-config': { arity: 'many' },
  '--strict-mcp-config': { arity: 'flag' },
  '--restricted': { arity: 'flag' },
  '--append-system-prompt': { arity: 'one', shown: '<prompt>' },
  '--system-prompt': { arity: 'one', shown: '<prompt>' },
  '--name': { arity: 'one', shown: '<name>', short: '-n' },
  '--include-partial-messages': { arity: 'flag' },
  '--json-schema': { arity: 'one', shown: '<schema>' },
  '--max-budget-usd': { arity: 'one', shown: '<amount>', check: positive },
}

export type Given = { flags: Set<string>; values: Map<string, string[]>; prompt: string | undefined }
export type Parsed = { ok: true; given: Given } | { ok: false; complaint: string }

export function parseOptions(args: string[]): Parsed {
  const given: Given = { flags: new Set(), values: new Map(), prompt: undefined }
  const words = [...args]
  while (words.length > 0) {
    const word = words.shift()!
    if (word === '--') {
      given.prompt ??= words.shift()
      continue
    }
    if (!word.startsWith('-') || word === '-') {
      given.prompt ??= word
      continue
    }
    const complaint = take(word, words, given)
    if (complaint) return { ok: false, complaint }
  }
  return { ok: true, given }
}

function take(word: string, words: string[], given: Given): string | undefined {
  const [written, joined] = word.startsWith('--') && word.includes('=') ? split(word) : [word, undefined]
  const name = fullName(written)
  const option = name && OPTIONS[name]
  if (!name || !option) return `error: unknown option '${written}'`
  if (option.arity === 'flag') {
    given.flags.add(name)
    return undefined
  }
  const values = joined === undefined ? following(option.arity, words) : [joined]
  if (values.length === 0 && option.arity !== 'maybe') return `error: option '${shown(name, option)}' argument missing`
  for (const value of values) {
    const wrong =
      option.choices && !option.choices.includes(value)
        ? `Allowed choices are ${option.choices.join(', ')}.`
        : option.check?.(value)
    if (wrong) return `error: option '${shown(name, option)}' argument '${value}' is invalid. ${wrong}`
  }
  given.values.set(name, option.arity === 'many' ? [...(given.values.get(name) ?? []), ...values] : values)
  return undefined
}

/** A list goes on until the next option: that is why a prompt after `--allowedTools` needs `--` before it. */
function following(arity: Arity, words: string[]): string[] {
  const end = words.findIndex(word => word.startsWith('-') && word !== '-')
  const free = end < 0 ? words.length : end
  if (arity === 'many') return words.splice(0, free)
  // A single value is taken whatever it looks like, except that an optional one does not swallow an option.
  return arity === 'one' ? words.splice(0, 1) : words.splice(0, Math.min(1, free))
}

function fullName(written: string): string | undefined {
  if (OPTIONS[written]) return written
  return Object.keys(OPTIONS).find(name => OPTIONS[name]!.short === written || OPTIONS[name]!.also === written)
}

function shown(name: string, option: Option): string {
  const also = option.also ? `, ${option.also}` : ''
  return `${name}${also} ${option.shown ?? '<values...>'}`
}

function split(word: string): [string, string] {
  const at = word.indexOf('=')
  return [word.slice(0, at), word.slice(at + 1)]
}

function positive(value: string): string | undefined {
  return Number(value) > 0 ? undefined : '--max-budget-usd must be a positive number greater than 0'
}
