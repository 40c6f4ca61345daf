import * as z from 'zod'
import { doesNothing } from '../contract/check-command.ts'
import { durationMs, parseDuration } from '../contract/duration.ts'

/** What a file may hold for a key: plain JSON, never an object. */
export const ConfigValue = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string()).readonly()])
export type ConfigValue = z.infer<typeof ConfigValue>

/** What a value may be: how we say it, how we check it, how we read it from a flag, a variable or a command line. */
export type Kind<T> = {
  says: string
  schema: z.ZodType<T>
  /** Text to what a file would hold; text that makes no sense is given back, and the schema refuses it. */
  read: (text: string, cwd: string | null) => unknown
  choices?: readonly string[]
  /** For keys that a project's file may only lower. */
  size?: (value: T) => number
  /** The value as it is used, where that depends on whose home it is. */
  at?: (value: T, home: string) => T
}

/** One key. `what` says what it is; `reason` argues the default: why this one, and the price of being wrong. */
export type KeySpec<T> = {
  kind: Kind<T>
  default: NoInfer<T>
  what: string
  reason: string
  /** `run`: read when a run starts and kept for it. `daemon`: read when the daemon starts. */
  scope: 'run' | 'daemon'
  /** May a project's file, which comes with a clone, set it? `lower`: only to less than its user allows. */
  project: 'yes' | 'lower' | { no: string }
  flag?: `--${string}`
  /** Never printed: shown as "(set)". */
  secret?: boolean
}

/** Why a project's file may not set what is the daemon's. */
export const ONE_DAEMON = { no: 'one daemon serves all your projects' }

export function key<T>(spec: KeySpec<T>): KeySpec<T> {
  return spec
}

export function integer(min: number, max: number): Kind<number> {
  return {
    says: `a whole number from ${min} to ${max}`,
    schema: z.int().min(min).max(max),
    read: text => (/^-?\d{1,15}$/.test(text.trim()) ? Number(text) : text),
    size: value => value,
  }
}

export function dollars(max: number): Kind<number> {
  return {
    says: `an amount in US dollars above 0 and up to ${max}, such as 5 or 2.50`,
    schema: z.number().positive().max(max),
    read: text => (/^\d{1,9}(\.\d{1,6})?$/.test(text.trim()) ? Number(text) : text),
    size: value => value,
  }
}

export function duration(): Kind<string> {
  return {
    says: 'a duration such as 90s, 30m, 2h, 1d or 1h30m',
    schema: z.string().refine(text => durationMs(text) !== null),
    read: text => text.trim(),
    size: value => parseDuration(value),
  }
}

export function choice<const T extends string>(choices: readonly T[]): Kind<T> {
  return { says: choices.join(' or '), schema: z.enum(choices), read: text => text.trim(), choices }
}

/** One word for the client's command line. It never begins with a dash: a value must not be able to become a flag. */
export function word(says: string): Kind<string> {
  return {
    says,
    schema: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._:@/[\]+-]{0,199}$/),
    read: text => text.trim(),
  }
}

/**
 * A program. A relative path means something only where somebody typed it (flag, variable); from a file it would be
 * looked for in whatever directory the command is used in, so there it is refused.
 */
export function program(): Kind<string> {
  return {
    says: 'the name of a program on the PATH, or an absolute path (~/ is your home)',
    schema: z
      .string()
      .max(4096)
      .regex(/^(?:[A-Za-z0-9_][A-Za-z0-9._+-]*|(?:~)?\/[^\p{Cc}]+)$/u),
    read: (text, cwd) => (cwd !== null && /^[^/~]+\//.test(text) ? `${cwd.replace(/\/$/, '')}/${text}` : text),
    at: (value, home) => (value.startsWith('~/') ? `${home}${value.slice(1)}` : value),
  }
}

export function list(says: string, item: RegExp): Kind<readonly string[]> {
  return {
    says: `a list of ${says}`,
    schema: z.array(z.string().max(200).regex(item)).max(200).readonly(),
    read: text => (text.trim() === 'none' ? [] : readList(text)),
  }
}

/** Lines for a shell. One that is typed is one command, blanks and all; several are a JSON list. */
export function commands(): Kind<readonly string[]> {
  return {
    says: 'a command such as "npm test" (not blank, not only a comment), or a JSON list of them',
    schema: z
      .array(
        z
          .string()
          .max(10_000)
          .regex(/^[^\p{Cc}\s-][^\p{Cc}]*$/u)
          .refine(command => !doesNothing(command)),
      )
      .max(50)
      .readonly(),
    read: text => (text.trim() === 'none' ? [] : text.trim().startsWith('[') ? readList(text) : [text.trim()]),
  }
}

/** A key that may be without a value: `null` in a file, `none` elsewhere. */
export function optional<T>(kind: Kind<T>): Kind<T | null> {
  const { size } = kind
  return {
    ...kind,
    says: `${kind.says}, or none`,
    schema: kind.schema.nullable(),
    read: (text, cwd) => (text.trim() === 'none' ? null : kind.read(text, cwd)),
    ...(size && { size: value => (value === null ? Number.POSITIVE_INFINITY : size(value)) }),
  } as Kind<T | null>
}

/** `["a", "b"]`, or `a, b`, or `a b`. What stands in parentheses stays together: `Bash(git log *), Edit`. */
function readList(text: string): unknown {
  if (text.trim().startsWith('[')) {
    try {
      return JSON.parse(text)
    } catch {
      return text
    }
  }
  const items: string[] = []
  let item = ''
  let depth = 0
  for (const character of text) {
    if (character === '(') depth++
    if (character === ')') depth--
    if (depth <= 0 && /[\s,]/.test(character)) {
      if (item !== '') items.push(item)
      item = ''
    } else item += character
  }
  if (item !== '') items.push(item)
  return items
}
