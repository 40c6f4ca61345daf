/** A step of a walk, with its states and its move by name. */
export type NamedStep = { from: string; move: string; to: string; asked: string[] }

/** One paragraph per state: what each event that changes or asks for something leads to. */
export function stateTable(steps: NamedStep[]): string {
  const rows = new Map<string, Map<string, Set<string>>>()
  for (const { from, move, to, asked } of steps) {
    const isMoved = from !== to || asked.length > 0
    const outcome = isMoved ? `${to}${asked.length ? ` + ${asked.join(' + ')}` : ''}` : 'stays'
    const row = rows.get(from) ?? new Map<string, Set<string>>()
    rows.set(from, row.set(move, (row.get(move) ?? new Set()).add(outcome)))
  }
  const paragraphs = [...rows]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, row]) => [name, ...lines(row)].join('\n'))
  return `${rows.size} by name\n\n${paragraphs.join('\n\n')}\n`
}

/** Events of one name with the same outcome share a line. */
function lines(row: Map<string, Set<string>>): string[] {
  const grouped = new Map<string, string[]>()
  for (const [move, outcomes] of row) {
    if ([...outcomes].every(outcome => outcome === 'stays')) continue
    const [, name = '', rest = ''] = /^(\S+(?: result| exit)?) ?(.*)$/.exec(move) ?? []
    const key = `${name} -> ${[...outcomes].sort().join(' | ')}`
    grouped.set(key, [...(grouped.get(key) ?? []), rest])
  }
  return [...grouped].map(([key, rests]) => {
    const [name, outcome] = key.split(' -> ')
    return `  ${`${name} ${rests.filter(Boolean).join(', ')}`.trim()} -> ${outcome}`
  })
}
