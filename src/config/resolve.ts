import * as z from 'zod'
import { RehoboamError } from '../contract/errors.ts'
import { printable } from '../contract/printable.ts'
import { CONFIG_KEY_NAMES, type ConfigKey, type ConfigValues, configKey, specOf, variableOf } from './keys.ts'
import { ConfigValue } from './kinds.ts'
import {
  ConfigOrigin,
  type ConfigProblem,
  type ConfigSource,
  type ConfigText,
  fromDefaults,
  fromEnvironment,
  fromFile,
  fromFlags,
  notForProjects,
  problem,
  type Said,
} from './sources.ts'

/** What is known of a key without looking at any source: `rehoboam config explain KEY`. */
export const ConfigExplanation = z.object({
  key: z.string(),
  what: z.string(),
  reason: z.string(),
  type: z.string(),
  choices: z.array(z.string()).nullable(),
  default: ConfigValue,
  env: z.string(),
  flag: z.string().nullable(),
  scope: z.enum(['run', 'daemon']),
  takesEffect: z.string(),
  settableByProject: z.enum(['yes', 'lower', 'no']),
  projectSentence: z.string(),
  secret: z.boolean(),
})
export type ConfigExplanation = z.infer<typeof ConfigExplanation>

/** One line of `rehoboam config list`: the explanation with the value that holds, and where it comes from. */
export const ConfigEntry = ConfigExplanation.extend({ value: ConfigValue, origin: ConfigOrigin })
export type ConfigEntry = z.infer<typeof ConfigEntry>

export type ConfigInput = {
  /** By key; text as it was typed. */
  flags?: Readonly<Record<string, unknown>>
  env?: Readonly<Record<string, string | undefined>>
  project?: ConfigText | null
  user?: ConfigText | null
  /** The directory of the command: what a relative path in a flag or a variable is relative to. */
  cwd?: string
}

export type ResolvedConfig = {
  values: ConfigValues
  origins: Record<ConfigKey, ConfigOrigin>
  problems: ConfigProblem[]
}

/** Flags, then environment, then the project's file, then the user's: the first that says something holds. */
export function resolveConfig(input: ConfigInput): ResolvedConfig {
  const { flags = {}, env = {}, project = null, user = null, cwd = null } = input
  const layers: Layer[] = [
    { source: 'flag', ...fromFlags(flags, cwd) },
    { source: 'environment', ...fromEnvironment(env, cwd) },
    { source: 'project', ...fromFile('project', project) },
    { source: 'user', ...fromFile('user', user) },
    { source: 'default', ...fromDefaults() },
  ]
  const held = CONFIG_KEY_NAMES.map(key => hold(key, layers))
  const values = held.map(({ key, value }) => [key, specOf(key).kind.at?.(value, env.HOME || '~') ?? value])
  return {
    values: Object.fromEntries(values) as ConfigValues,
    origins: Object.fromEntries(held.map(({ key, origin }) => [key, origin])) as Record<ConfigKey, ConfigOrigin>,
    problems: [...layers.flatMap(layer => layer.problems), ...held.flatMap(({ problems }) => problems)],
  }
}

/** The values, or an error with everything that is wrong. Warnings stay in `problems`, to be said by the caller. */
export function requireConfig(resolved: ResolvedConfig): ConfigValues {
  const errors = resolved.problems.filter(({ severity }) => severity === 'error')
  if (errors.length === 0) return resolved.values
  throw new RehoboamError('config-wrong', errors.map(({ sentence }) => sentence).join('\n'), { problems: errors })
}

/** `rehoboam config list`: every key, in the order of the schema. */
export function configEntries(resolved: ResolvedConfig): ConfigEntry[] {
  return CONFIG_KEY_NAMES.map(key => configEntry(resolved, key))
}

/** `rehoboam config get KEY`. */
export function configEntry(resolved: ResolvedConfig, name: string): ConfigEntry {
  const key = configKey(name)
  const value = masked(specOf(key), resolved.values[key])
  return { ...explain(key), value, origin: resolved.origins[key] }
}

/** `rehoboam config explain KEY`. */
export function explain(name: string): ConfigExplanation {
  const key = configKey(name)
  const spec = specOf(key)
  const { project } = spec
  return {
    key,
    what: spec.what,
    reason: spec.reason,
    type: spec.kind.says,
    choices: spec.kind.choices ? [...spec.kind.choices] : null,
    default: masked(spec, spec.default),
    env: variableOf(key),
    flag: spec.flag ?? null,
    scope: spec.scope,
    takesEffect: TAKES_EFFECT[spec.scope],
    settableByProject: typeof project === 'object' ? 'no' : project,
    projectSentence: typeof project === 'object' ? notForProjects(key, project.no) : PROJECT_MAY[project],
    secret: spec.secret ?? false,
  }
}

/** Before a key is written into a project's file. */
export function refuseInProject(key: ConfigKey): void {
  const { project } = specOf(key)
  if (typeof project !== 'object') return
  throw new RehoboamError('config-not-for-projects', notForProjects(key, project.no), { key })
}

export function masked(spec: { secret?: boolean }, value: ConfigValue): ConfigValue {
  return spec.secret && value !== null ? '(set)' : value
}

type Layer = Said & { source: ConfigSource }
type Held = { key: ConfigKey; value: ConfigValue; origin: ConfigOrigin; problems: ConfigProblem[] }

const TAKES_EFFECT = {
  run: 'for runs that start from now on',
  daemon: 'when the daemon starts again: rehoboam daemon stop, then any command',
}
const PROJECT_MAY = {
  yes: "a project's file may set it",
  lower: "a project's file may only lower it: more than your own file (or the default) allows does not hold",
}

function hold(key: ConfigKey, layers: readonly Layer[]): Held {
  const [winner, below] = layers.filter(layer => layer.values.has(key)) as [Layer, Layer | undefined]
  const raised = winner.source === 'project' && below !== undefined && raises(key, winner, below)
  const holder = raised ? below : winner
  const { value, where } = holder.values.get(key)!
  const problems = raised ? [tooHigh(key, winner, value)] : []
  return { key, value, origin: { source: holder.source, where }, problems }
}

/** A clone may be more careful with its user's money than the user is, never less. */
function raises(key: ConfigKey, project: Layer, below: Layer): boolean {
  const { project: may, kind } = specOf(key)
  if (may !== 'lower' || kind.size === undefined) return false
  return kind.size(project.values.get(key)!.value) > kind.size(below.values.get(key)!.value)
}

function tooHigh(key: ConfigKey, project: Layer, holds: ConfigValue): ConfigProblem {
  const { value, where } = project.values.get(key)!
  const sentence = `${printable(where!, 4096)}: ${key} ${value ?? 'none'} is more than you allow; ${holds} holds (a project's file may only lower it)`
  return problem('only-lower', 'project', where!, key, sentence, 'warning')
}
