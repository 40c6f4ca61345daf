import { BY_CHANCE } from './normal.ts'

/**
 * What a stream looks like, without what it says: for each line its name and every field with its type. As text, so
 * that a client that adds, drops or changes a field shows as exactly those lines of a diff.
 */
export function shape(lines: string[]): string[] {
  const surely = lines.map(line => JSON.parse(line)).filter(line => !BY_CHANCE.includes(nameOf(line)))
  const shapes = surely.map(line => fields(line).join('\n'))
  // How many of the same kind come in a row depends on how fast the machine is.
  return shapes.filter((text, n) => text !== shapes[n - 1]).flatMap(text => text.split('\n'))
}

function fields(line: Record<string, unknown>): string[] {
  const name = nameOf(line)
  const entries = Object.entries(line).sort(([a], [b]) => (a < b ? -1 : 1))
  return [name, ...entries.flatMap(([key, value]) => typed(key, value).map(text => `  ${name}.${text}`))]
}

function nameOf({ type, subtype }: Record<string, unknown>): string {
  return [type, subtype].filter(Boolean).join('/')
}

function typed(path: string, value: unknown): string[] {
  if (Array.isArray(value)) {
    if (value.length === 0) return [`${path}: []`]
    return [...new Set(value.flatMap(item => typed(`${path}[]`, item)))]
  }
  if (value === null) return [`${path}: null`]
  if (typeof value !== 'object') return [`${path}: ${typeof value}`]
  const keys = Object.keys(value).sort()
  return keys.length === 0
    ? [`${path}: {}`]
    : keys.flatMap(key => typed(`${path}.${key}`, (value as Record<string, unknown>)[key]))
}
