import { padTo, type Row, rowWidth, span } from './row.ts'
import { type Bus, Gutter } from './step-gutter.ts'

/** A node of the graph: what it waits for, and how it is shown. */
type Node = { id: string; dependsOn: readonly string[]; label: Row }
type Graph = { rows: Row[]; rowOf: ReadonlyMap<string, number> }

const NARROWEST = 14

/**
 * Steps from left to right, each behind all that it waits for, with lines between them. Null when it would be wider than
 * the screen: then a list says the same.
 */
export function stepGraph(nodes: readonly Node[], columns: number): Graph | null {
  const layers = layersOf(nodes)
  // Where lines would have to lie on each other, every second layer stands half a step lower: then none does.
  return drawn(nodes, layers, columns, 1) ?? drawn(nodes, layers, columns, 2)
}

function drawn(nodes: readonly Node[], layers: Map<string, number>, columns: number, rowsEach: 1 | 2): Graph | null {
  const count = Math.max(0, ...layers.values()) + 1
  const { placed, height } = placesOf(nodes, layers, count, rowsEach)
  const gutters: Gutter[] = []
  for (let layer = 0; layer < count - 1; layer++) {
    const gutter = Gutter.with(busesOf(nodes, placed[layer]!, placed[layer + 1]!, layers, layer))
    if (!gutter) return null
    gutters.push(gutter)
  }
  const width = Math.floor((columns - gutters.reduce((sum, gutter) => sum + gutter.width, 0)) / count)
  const widest = Math.max(0, ...nodes.map(({ label }) => rowWidth(label)))
  if (width < Math.min(NARROWEST, widest)) return null
  const cell = Math.min(width, widest)
  const labels = new Map(nodes.map(node => [node.id, node.label]))
  const rows = Array.from({ length: height }, (_, row) =>
    placed.flatMap((places, layer) => {
      const id = [...places].find(([, at]) => at === row)?.[0]
      const between = gutters[layer]
      const next = [...(placed[layer + 1] ?? [])].find(([, at]) => at === row)?.[0]
      const isPassedOn = next !== undefined && layers.get(next)! <= layer
      const lines = between ? [span(between.text(row, isPassedOn), 'dim')] : []
      if (id === undefined) return [{ text: ' '.repeat(cell) }, ...lines]
      if (layers.get(id) !== layer) return [span('─'.repeat(cell), 'dim'), ...lines]
      return [...padded(labels.get(id)!, cell, between?.begins(row)), ...lines]
    }),
  )
  return { rows, rowOf: new Map(nodes.map(({ id }) => [id, placed[layers.get(id)!]!.get(id)!])) }
}

/** A line that leaves a step begins right behind its words. */
function padded(label: Row, cell: number, isLeft: boolean | undefined): Row {
  const missing = cell - rowWidth(label)
  if (!isLeft || missing < 2) return padTo(label, cell)
  return [...label, { text: ' ' }, span('─'.repeat(missing - 1), 'dim')]
}

/** How far from the beginning each step is: one more than the farthest that it waits for. A circle ends somewhere. */
function layersOf(nodes: readonly Node[]): Map<string, number> {
  const byId = new Map(nodes.map(node => [node.id, node]))
  const layers = new Map<string, number>()
  const visit = (id: string, path: ReadonlySet<string>): number => {
    const known = layers.get(id)
    if (known !== undefined) return known
    if (path.has(id)) return 0
    const before = (byId.get(id)?.dependsOn ?? []).filter(other => byId.has(other))
    const layer = Math.max(-1, ...before.map(other => visit(other, new Set(path).add(id)))) + 1
    layers.set(id, layer)
    return layer
  }
  for (const { id } of nodes) visit(id, new Set())
  return layers
}

/** In which row of a layer a step stands, or passes when somebody behind that layer waits for it. */
type Places = Map<string, number>

/** Each as near as it can be to the rows of what it waits for. */
function placesOf(nodes: readonly Node[], layers: Map<string, number>, count: number, rowsEach: 1 | 2) {
  const placed: Places[] = []
  let height = 0
  for (let layer = 0; layer < count; layer++) {
    const before: Places = placed.at(-1) ?? new Map()
    const own = nodes
      .filter(({ id }) => layers.get(id) === layer)
      .map(({ id, dependsOn }) => ({ id, wish: mean(dependsOn.flatMap(other => before.get(other) ?? [])) }))
    const passing = [...before]
      .filter(([id]) => nodes.some(node => node.dependsOn.includes(id) && layers.get(node.id)! > layer))
      .map(([id, row]) => ({ id, wish: row }))
    const places: Places = new Map()
    const offset = rowsEach === 2 ? layer % 2 : 0
    let next = 0
    for (const { id, wish } of [...own, ...passing].sort((a, b) => a.wish - b.wish)) {
      const row = Math.max(next, Math.round(wish / rowsEach) * rowsEach) + offset
      places.set(id, row)
      next = row - offset + rowsEach
    }
    height = Math.max(height, ...[...places.values()].map(row => row + 1))
    placed.push(places)
  }
  return { placed, height }
}

function mean(rows: number[]): number {
  return rows.length === 0 ? 0 : rows.reduce((sum, row) => sum + row, 0) / rows.length
}

/** What leads from one layer to the next; those that lead to the same places have one line together. */
function busesOf(
  nodes: readonly Node[],
  here: Places,
  there: Places,
  layers: Map<string, number>,
  layer: number,
): Bus[] {
  const buses = new Map<string, { from: number[]; to: number[] }>()
  for (const [id, row] of here) {
    const next = nodes.filter(node => node.dependsOn.includes(id) && layers.get(node.id) === layer + 1)
    const to = [...next.map(node => node.id), id].flatMap(other => there.get(other) ?? []).sort((a, b) => a - b)
    if (to.length === 0) continue
    const bus = buses.get(to.join()) ?? { from: [], to }
    bus.from.push(row)
    buses.set(to.join(), bus)
  }
  return [...buses.values()]
}
