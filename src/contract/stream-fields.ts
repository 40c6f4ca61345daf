// Reading JSON that another program wrote: a field has its promised type or is as good as absent, and nothing is
// unbounded, because one tool may print a gigabyte into one line.

import { short } from './short.ts'

// A tool may print a gigabyte; what we keep and show of one text is bounded, and says that it is cut.
export const TEXT_LIMIT = 64 * 1024
// More entries than any real line has; a hostile one must not make us hold a million objects.
export const LIST_LIMIT = 1000
// Nobody's tool input is that deep; recursing into a hostile one would overflow the stack.
const DEPTH_LIMIT = 40

export type Fields = Record<string, unknown>

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value.slice(0, LIST_LIMIT) : []
}

export function objects(value: unknown): Fields[] {
  return list(value).filter(isObject)
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? cut(value) : undefined
}

export function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** Money, tokens, counts: nobody has less than none of them. */
export function amount(value: unknown): number | undefined {
  const found = number(value)
  return found !== undefined && found >= 0 ? found : undefined
}

/** What was cut before, by a hook, stays as it is. */
export function cut(value: string): string {
  if (value.length <= TEXT_LIMIT || /^\.\.\. \(\d{1,12} more characters\)$/.test(value.slice(TEXT_LIMIT))) return value
  return `${short(value, TEXT_LIMIT)}... (${value.length - TEXT_LIMIT} more characters)`
}

export function input(value: unknown): Fields {
  return isObject(value) ? (bounded(value, 0) as Fields) : {}
}

function bounded(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cut(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= DEPTH_LIMIT) return '... (deeper)'
  if (Array.isArray(value)) return value.slice(0, LIST_LIMIT).map(inner => bounded(inner, depth + 1))
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, LIST_LIMIT)
      .map(([key, inner]) => [key, bounded(inner, depth + 1)]),
  )
}
