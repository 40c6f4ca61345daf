import { padTo, type Row, rowWidth, span } from './row.ts'

/** A node of the graph: what it waits for, and how it is shown. */
export type Node = { id: string; dependsOn: readonly string[]; label: Row }
export type Graph = { rows: Row[]; rowOf: ReadonlyMap<string, number> }

type Place = { layer: number; row: number }

const GUTTER = 5
const NARROWEST = 14

/**
 * Steps from left to right, each behind all that it waits for, with lines between them. Null when it would be wider than
 * the screen: then a list says the same.
 */
export function stepGraph(nodes: readonly Node[], columns: number): Graph | null {
  const layers = layersOf(nodes)
  const count = Math.max(0, ...layers.values()) + 1
  const width = Math.floor((columns - GUTTER * (count - 1)) / count)
  const widest = Math.max(0, ...nodes.map(({ label }) => rowWidth(label)))
  if (width < Math.min(NARROWEST, widest)) return null
  const cell = Math.min(width, widest)
  const { places, passing, height } = placed(nodes, layers, count)
  const gutters = Array.from({ length: count - 1 }, () => new Gutter(height))
  for (const { id, dependsOn } of nodes) {
    for (const before of dependsOn) connect(gutters, places.get(before), places.get(id), passing.get(`${before} ${id}`))
  }
  const labels = new Map(nodes.map(node => [key(places.get(node.id)!), node.label]))
  const lanes = new Set([...passing.values()].flat().map(key))
  const rows = Array.from({ length: height }, (_, row) => {
    const line: Row = []
    for (let layer = 0; layer < count; layer++) {
      const label = labels.get(key({ layer, row }))
      const isLane = lanes.has(key({ layer, row }))
      line.push(
        ...(label
          ? padded(label, cell, gutters[layer]?.begins(row))
          : [span((isLane ? '─' : ' ').repeat(cell), 'dim')]),
      )
      if (layer < count - 1) line.push(span(gutters[layer]!.text(row), 'dim'))
    }
    return line
  })
  return { rows, rowOf: new Map([...places].map(([id, { row }]) => [id, row])) }
}

function key({ layer, row }: Place): string {
  return `${layer},${row}`
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

/** Each as near as it can be to the rows of what it waits for; lines that pass a layer have a row of their own there. */
function placed(nodes: readonly Node[], layers: Map<string, number>, count: number) {
  const places = new Map<string, Place>()
  const passing = new Map<string, Place[]>()
  let height = 0
  for (let layer = 0; layer < count; layer++) {
    const own = nodes
      .filter(({ id }) => layers.get(id) === layer)
      .map(({ id, dependsOn }) => ({
        put: (place: Place) => void places.set(id, place),
        near: dependsOn.map(rowBefore),
      }))
    const through = nodes
      .filter(({ id }) => layers.get(id)! > layer)
      .flatMap(({ id, dependsOn }) =>
        dependsOn.filter(before => (layers.get(before) ?? count) < layer).map(before => [before, id]),
      )
      .map(([before, id]) => {
        const name = `${before} ${id}`
        const put = (place: Place) => void passing.set(name, [...(passing.get(name) ?? []), place])
        return { put, near: [passing.get(name)?.at(-1)?.row ?? rowBefore(before!)] }
      })
    const wishes = [...own, ...through].map(({ put, near }) => ({ put, wish: mean(near) }))
    let next = 0
    for (const { put, wish } of wishes.sort((a, b) => a.wish - b.wish)) {
      const row = Math.max(next, Math.round(wish))
      put({ layer, row })
      next = row + 1
    }
    height = Math.max(height, next)
  }
  return { places, passing, height }

  function rowBefore(id: string): number {
    return places.get(id)?.row ?? 0
  }
}

function mean(rows: number[]): number {
  return rows.length === 0 ? 0 : rows.reduce((sum, row) => sum + row, 0) / rows.length
}

function connect(gutters: Gutter[], from: Place | undefined, to: Place | undefined, through: Place[] = []): void {
  if (!from || !to || to.layer <= from.layer) return
  let row = from.row
  for (const place of [...through, to]) {
    gutters[place.layer - 1]?.join(row, place.row)
    row = place.row
  }
}

const UP = 1
const DOWN = 2
const LEFT = 4
const RIGHT = 8
const SIGNS: Record<number, string> = {
  [LEFT | RIGHT]: '─',
  [UP | DOWN]: '│',
  [LEFT | DOWN]: '┐',
  [LEFT | UP]: '┘',
  [RIGHT | DOWN]: '┌',
  [RIGHT | UP]: '└',
  [LEFT | RIGHT | DOWN]: '┬',
  [LEFT | RIGHT | UP]: '┴',
  [UP | DOWN | LEFT]: '┤',
  [UP | DOWN | RIGHT]: '├',
  [UP | DOWN | LEFT | RIGHT]: '┼',
}

/** The lines between two layers: one channel up and down, and a way into it and out of it in each row. */
class Gutter {
  readonly #ways: number[]

  constructor(height: number) {
    this.#ways = Array.from({ length: height }, () => 0)
  }

  join(from: number, to: number): void {
    this.#add(from, LEFT)
    this.#add(to, RIGHT)
    for (let row = Math.min(from, to); row < Math.max(from, to); row++) {
      this.#add(row, DOWN)
      this.#add(row + 1, UP)
    }
  }

  begins(row: number): boolean {
    return ((this.#ways[row] ?? 0) & LEFT) !== 0
  }

  text(row: number): string {
    const ways = this.#ways[row] ?? 0
    const left = ways & LEFT ? '──' : '  '
    const right = ways & RIGHT ? '─ ' : '  '
    return `${left}${SIGNS[ways] ?? (ways ? '─' : ' ')}${right}`
  }

  #add(row: number, way: number): void {
    this.#ways[row] = (this.#ways[row] ?? 0) | way
  }
}
