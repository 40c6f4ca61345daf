import { RehoboamError } from '../contract/errors.ts'
import { nearest } from '../contract/nearest.ts'
import { quoted } from '../contract/printable.ts'
import { HOUSE_KEYS } from './house-keys.ts'
import type { ConfigValue, KeySpec } from './kinds.ts'
import { RUN_KEYS } from './run-keys.ts'

const CONFIG_KEYS = { ...RUN_KEYS, ...HOUSE_KEYS }

export type ConfigKey = keyof typeof CONFIG_KEYS
export type ConfigValues = {
  [K in ConfigKey]: (typeof CONFIG_KEYS)[K] extends KeySpec<infer T> ? T : never
}
export const CONFIG_KEY_NAMES = Object.keys(CONFIG_KEYS) as ConfigKey[]

/** Variables with our prefix that are not configuration: where the state is, and what sessions are told. */
export const OTHER_VARIABLES: readonly string[] = [
  'REHOBOAM_HOME',
  'REHOBOAM_RUN',
  'REHOBOAM_LOOP_DIR',
  'REHOBOAM_TURN',
  'REHOBOAM_WARD_KEY',
  'REHOBOAM_TOKEN',
  'REHOBOAM_PORT_BASE',
  'REHOBOAM_GIT_OF',
  'REHOBOAM_GIT_BY',
]

export function isConfigKey(name: string): name is ConfigKey {
  return Object.hasOwn(CONFIG_KEYS, name)
}

/** `sessions.startsPerSecond` is `REHOBOAM_SESSIONS_STARTS_PER_SECOND`. */
export function variableOf(key: string): string {
  return `REHOBOAM_${key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('.', '_')
    .toUpperCase()}`
}

export function specOf(key: ConfigKey): KeySpec<ConfigValue> {
  return CONFIG_KEYS[key] as unknown as KeySpec<ConfigValue>
}

/** The key of that name, or an error that names the nearest one. */
export function configKey(name: string): ConfigKey {
  if (isConfigKey(name)) return name
  throw new RehoboamError('config-unknown-key', unknownKey(name), {
    key: name.slice(0, 100),
    nearest: nearestKey(name),
  })
}

/** A value typed on a command line (`rehoboam config set KEY VALUE`), checked; throws a sentence with the way out. */
export function parseValue<K extends ConfigKey>(key: K, text: string): ConfigValues[K] {
  return requireValue(key, specOf(key).kind.read(text, null))
}

/** A value as a file or an API would hold it, checked. */
export function requireValue<K extends ConfigKey>(key: K, value: unknown): ConfigValues[K] {
  const checked = checkValue(key, value)
  if ('sentence' in checked) throw new RehoboamError('config-wrong-value', checked.sentence, { key })
  return checked.value as ConfigValues[K]
}

/** Does the value fit the key? If not, the sentence says what would. */
export function checkValue(key: ConfigKey, value: unknown): { value: ConfigValue } | { sentence: string } {
  const spec = specOf(key)
  const checked = spec.kind.schema.safeParse(value)
  if (checked.success) return { value: checked.data }
  const bad = checked.error.issues[0]?.path[0]
  const wrong = Array.isArray(value) && typeof bad === 'number' ? `with ${said(value[bad])} in it` : said(value)
  return {
    sentence: `${key} must be ${spec.kind.says}, not ${spec.secret ? 'what was given' : wrong}${hint(spec, value)}`,
  }
}

export function unknownKey(name: string): string {
  const near = nearestKey(name)
  const members = CONFIG_KEY_NAMES.filter(key => key.startsWith(`${name}.`))
  if (members.length > 0) return `${quoted(name)} is a group, not a key; its keys are ${members.join(', ')}`
  const way = near === null ? 'see them all with: rehoboam config list' : `did you mean ${near}?`
  return `there is no key ${quoted(name)}; ${way}`
}

function nearestKey(name: string): ConfigKey | null {
  return nearest(name, CONFIG_KEY_NAMES) as ConfigKey | null
}

function hint(spec: KeySpec<ConfigValue>, value: unknown): string {
  if (typeof value !== 'string' || spec.secret) return ''
  if (value.trim() === '') return '; it is empty'
  const near = spec.kind.choices && nearest(value, spec.kind.choices)
  if (near) return `; did you mean ${near}?`
  // "8" in a file, where a number belongs.
  const read = value.length > 200 ? value : spec.kind.read(value, null)
  return read !== value && spec.kind.schema.safeParse(read).success ? `; write ${JSON.stringify(read)}` : ''
}

/** A value as it stands in a sentence: scalars are shown, anything bigger is only named. */
function said(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  return String(value)
}
