import { getNodeValue } from 'jsonc-parser'
import * as z from 'zod'
import { nearest } from '../contract/nearest.ts'
import { printable, quoted } from '../contract/printable.ts'
import { type JsonNode, membersOf, placeOf, readJson } from './json-read.ts'
import {
  CONFIG_KEY_NAMES,
  type ConfigKey,
  checkValue,
  isConfigKey,
  OTHER_VARIABLES,
  specOf,
  unknownKey,
  variableOf,
} from './keys.ts'
import type { ConfigValue } from './kinds.ts'

/** Where a value comes from: `where` is the flag, the variable or the path of the file; null for a default. */
export const ConfigSource = z.enum(['flag', 'environment', 'project', 'user', 'default'])
export type ConfigSource = z.infer<typeof ConfigSource>

export const ConfigOrigin = z.object({ source: ConfigSource, where: z.string().nullable() })
export type ConfigOrigin = z.infer<typeof ConfigOrigin>

/** What is wrong in a source. The sentence is whole by itself; the rest is for faces that point at the place. */
export const ConfigProblem = z.object({
  severity: z.enum(['error', 'warning']),
  code: z.enum([
    'too-large',
    'invalid-json',
    'not-an-object',
    'unknown-key',
    'unknown-variable',
    'wrong-value',
    'not-for-projects',
    'only-lower',
    'set-twice',
    'too-many',
  ]),
  source: ConfigSource,
  where: z.string(),
  key: z.string().nullable(),
  line: z.number().nullable(),
  column: z.number().nullable(),
  sentence: z.string(),
})
export type ConfigProblem = z.infer<typeof ConfigProblem>

/** The text of a file as it was read; null instead of it when there is no such file. */
export type ConfigText = { path: string; text: string }

/** What one source says, and what is wrong with it. */
export type Said = { values: Map<ConfigKey, { value: ConfigValue; where: string | null }>; problems: ConfigProblem[] }

// Ours has a few hundred bytes. A bigger file is not a config file, and it may come with a clone.
const LARGEST_CONFIG_FILE = 1024 * 1024
// What a person fixes in one go; more would only push the first ones off the screen.
const MOST_PROBLEMS = 20

export function fromDefaults(): Said {
  return {
    values: new Map(CONFIG_KEY_NAMES.map(key => [key, { value: specOf(key).default, where: null }])),
    problems: [],
  }
}

/** Flags by the key that they set; text as it was typed, or a list of it for a repeated flag. */
export function fromFlags(flags: Readonly<Record<string, unknown>>, cwd: string | null): Said {
  const result: Said = { values: new Map(), problems: [] }
  for (const [name, given] of Object.entries(flags)) {
    if (given === undefined) continue
    if (!isConfigKey(name)) {
      result.problems.push(problem('unknown-key', 'flag', name, name, `${unknownKey(name)} (from a flag)`))
      continue
    }
    const { flag, kind } = specOf(name)
    const where = flag ?? `--${name}`
    const value = typeof given === 'string' ? kind.read(given, cwd) : repeated(given, text => kind.read(text, cwd))
    keep(result, name, value, where, sentence => problem('wrong-value', 'flag', where, name, `${where}: ${sentence}`))
  }
  return result
}

/** `REHOBOAM_<KEY>`. An empty variable counts as not set: that is how shells take one away for one command. */
export function fromEnvironment(env: Readonly<Record<string, string | undefined>>, cwd: string | null): Said {
  const result: Said = { values: new Map(), problems: [] }
  const keys = new Map(CONFIG_KEY_NAMES.map(key => [variableOf(key), key]))
  for (const [name, text] of Object.entries(env)) {
    if (!name.startsWith('REHOBOAM_') || OTHER_VARIABLES.includes(name) || !text?.trim()) continue
    if (result.problems.length === MOST_PROBLEMS) return full(result, 'environment', 'the environment')
    const key = keys.get(name)
    if (key === undefined) {
      result.problems.push(unknownVariable(name))
      continue
    }
    keep(result, key, specOf(key).kind.read(text, cwd), name, sentence =>
      problem('wrong-value', 'environment', name, key, `${name}: ${sentence}`),
    )
  }
  return result
}

export function fromFile(source: 'project' | 'user', file: ConfigText | null): Said {
  const result: Said = { values: new Map(), problems: [] }
  if (file === null) return result
  const at = (code: ConfigProblem['code'], key: string | null, offset: number, sentence: string): ConfigProblem => {
    const place = placeOf(file.text, offset)
    const full = `${printable(file.path, 4096)}:${place.line}:${place.column}: ${sentence}`
    return { ...problem(code, source, file.path, key, full), ...place }
  }
  const refused = (code: ConfigProblem['code'], offset: number, sentence: string): Said => ({
    values: new Map(),
    problems: [at(code, null, offset, sentence)],
  })
  if (file.text.length > LARGEST_CONFIG_FILE)
    return refused('too-large', 0, 'larger than 1 MB: this is not a config file')
  if (file.text.trim() === '') return refused('invalid-json', 0, 'the file is empty; write {} or delete it')
  const read = readJson(file.text)
  if ('fault' in read) return refused('invalid-json', read.fault.at, read.fault.sentence)
  if (read.root.type !== 'object')
    return refused('not-an-object', read.root.offset, 'the file must hold an object: { ... }')

  const first = new Map<ConfigKey, number>()
  for (const { path, start, value } of leaves(read.root, '')) {
    if (result.problems.length === MOST_PROBLEMS) return full(result, source, file.path)
    if (!isConfigKey(path)) {
      result.problems.push(at('unknown-key', path, start, unknownKey(path)))
      continue
    }
    const earlier = first.get(path)
    if (earlier !== undefined) {
      const { line } = placeOf(file.text, earlier)
      result.problems.push(
        at('set-twice', path, start, `${path} is set a second time (first on line ${line}); delete one`),
      )
      continue
    }
    first.set(path, start)
    const { project } = specOf(path)
    if (source === 'project' && typeof project === 'object') {
      result.problems.push(at('not-for-projects', path, start, notForProjects(path, project.no)))
      continue
    }
    keep(result, path, getNodeValue(value), file.path, sentence => at('wrong-value', path, value.offset, sentence))
  }
  return result
}

/** The value is never repeated in the command: it comes from somebody else, and people paste what we tell them to type. */
export function notForProjects(key: ConfigKey, why: string): string {
  return `a project's file may not set ${key}, because ${why}; delete it there, and if you want it: rehoboam config set ${key} VALUE (your own file), or ${variableOf(key)}`
}

export function problem(
  code: ConfigProblem['code'],
  source: ConfigSource,
  where: string,
  key: string | null,
  sentence: string,
  severity: ConfigProblem['severity'] = 'error',
): ConfigProblem {
  return { severity, code, source, where, key, line: null, column: null, sentence }
}

function keep(
  result: Said,
  key: ConfigKey,
  value: unknown,
  where: string,
  complain: (sentence: string) => ConfigProblem,
): void {
  const checked = checkValue(key, value)
  if ('sentence' in checked) result.problems.push(complain(checked.sentence))
  else result.values.set(key, { value: checked.value, where })
}

/** `--allowed-tools A --allowed-tools B,C` is one list. */
function repeated(given: unknown, read: (text: string) => unknown): unknown {
  if (!Array.isArray(given)) return given
  return given.flatMap(item => (typeof item === 'string' ? read(item) : item))
}

/** Nested objects and dotted names come to the same; an object that is no group of ours is one unknown key. */
function leaves(node: JsonNode, prefix: string): { path: string; start: number; value: JsonNode }[] {
  return membersOf(node).flatMap(({ name, property, value }) => {
    const path = prefix + name
    const group = value.type === 'object' && CONFIG_KEY_NAMES.some(key => key.startsWith(`${path}.`))
    return group ? leaves(value, `${path}.`) : [{ path, start: property.offset, value }]
  })
}

/** A warning, not an error: it may belong to a newer version, and nothing that we know is wrong. But a slip is said. */
function unknownVariable(name: string): ConfigProblem {
  const ours = [...CONFIG_KEY_NAMES, ...OTHER_VARIABLES.map(other => other.slice('REHOBOAM_'.length))]
  const near = nearest(name.slice('REHOBOAM_'.length), ours)
  const meant = near === null ? '' : `; did you mean ${variableOf(near)}?`
  const sentence = `the variable ${quoted(name)} is not one of ours and does nothing${meant}`
  return problem('unknown-variable', 'environment', name, null, sentence, 'warning')
}

function full(result: Said, source: ConfigSource, where: string): Said {
  const sentence = `${printable(where, 4096)}: and more; fix these ${MOST_PROBLEMS} first`
  return { ...result, problems: [...result.problems, problem('too-many', source, where, null, sentence)] }
}
