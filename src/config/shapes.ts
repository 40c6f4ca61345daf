import * as z from 'zod'
import { ConfigValue } from './kinds.ts'

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
