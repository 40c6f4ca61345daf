const LEVELS = '▁▂▃▄▅▆▇█'

/** Numbers as a small picture: one bar each, the largest the highest. */
export function sparkOf(values: readonly number[]): string {
  const largest = Math.max(1, ...values)
  return values.map(value => LEVELS[Math.min(7, Math.round((Math.max(0, value) / largest) * 7))]).join('')
}
