import { HOUSE_KEYS } from './house-keys.ts'
import type { KeySpec } from './key.ts'
import { RUN_KEYS } from './run-keys.ts'

export const CONFIG_KEYS = { ...RUN_KEYS, ...HOUSE_KEYS }

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
