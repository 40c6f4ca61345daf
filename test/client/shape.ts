/**
 * What a stream looks like, without what it says: for each line its name and every field with its type. As text, so
 * that a client that adds, drops or changes a field shows as exactly those lines of a diff.
 */
export function shape(lines: string[]): string[] {
  const shapes = lines.map(line => fields(JSON.parse(line)).join('\n'))
  // How many estimates of the same kind come in a row depends on how fast the machine is.
  return shapes.filter((text, n) => text !== shapes[n - 1]).flatMap(text => text.split('\n'))
}

function fields(line: Record<string, unknown>): string[] {
  const name = [line.type, line.subtype].filter(Boolean).join('/')
  const entries = Object.entries(line).sort(([a], [b]) => (a < b ? -1 : 1))
  return [name, ...entries.flatMap(([key, value]) => typed(key, value).map(text => `  ${name}.${text}`))]
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
