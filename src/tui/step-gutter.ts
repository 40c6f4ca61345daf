/** Lines between two layers that lead from each of these rows to each of those. */
export type Bus = { from: readonly number[]; to: readonly number[] }
type Routed = Bus & { channel: number }

const UP = 1
const DOWN = 2
const LEFT = 4
const RIGHT = 8
const ACROSS = LEFT | RIGHT
const ALONG = UP | DOWN
const SIGNS: Record<number, string> = {
  [LEFT]: '─',
  [RIGHT]: '─',
  [ACROSS]: '─',
  [ALONG]: '│',
  [LEFT | DOWN]: '┐',
  [LEFT | UP]: '┘',
  [RIGHT | DOWN]: '┌',
  [RIGHT | UP]: '└',
  [ACROSS | DOWN]: '┬',
  [ACROSS | UP]: '┴',
  [ALONG | LEFT]: '┤',
  [ALONG | RIGHT]: '├',
  [ALONG | ACROSS]: '┼',
}

/** The space between two layers: a channel up and down for each bus that needs its own, so that no line can be misread. */
export class Gutter {
  readonly width: number
  readonly #cells = new Map<string, number[]>()
  readonly #begun: Set<number>

  private constructor(buses: Routed[]) {
    const channels = Math.max(1, ...buses.map(({ channel }) => channel + 1))
    this.width = 2 * channels + 3
    this.#begun = new Set(buses.flatMap(({ from }) => from))
    for (const bus of buses) this.#draw(bus)
  }

  /** Null when lines would have to lie on each other. */
  static with(buses: readonly Bus[]): Gutter | null {
    const routed = routedOf(buses)
    return routed ? new Gutter(routed) : null
  }

  /** A line leaves the step in this row. */
  begins(row: number): boolean {
    return this.#begun.has(row)
  }

  /** One row of it; there is a blank before a step, and none where a line only passes the next layer. */
  text(row: number, isPassedOn: boolean): string {
    const signs = Array.from({ length: this.width - 1 }, (_, x) => signOf(this.#cells.get(`${x},${row}`) ?? []))
    return `${signs.join('')}${isPassedOn ? '─' : ' '}`
  }

  #draw({ from, to, channel }: Routed): void {
    const x = 2 + 2 * channel
    const own = new Map<string, number>()
    const add = (at: number, row: number, ways: number) => {
      const key = `${at},${row}`
      own.set(key, (own.get(key) ?? 0) | ways)
    }
    for (const row of from) {
      for (let at = 0; at < x; at++) add(at, row, ACROSS)
      add(x, row, LEFT)
    }
    for (const row of to) {
      add(x, row, RIGHT)
      for (let at = x + 1; at < this.width - 1; at++) add(at, row, ACROSS)
    }
    const [top, bottom] = spanOf({ from, to })
    for (let row = top; row < bottom; row++) {
      add(x, row, DOWN)
      add(x, row + 1, UP)
    }
    for (const [key, ways] of own) this.#cells.set(key, [...(this.#cells.get(key) ?? []), ways])
  }
}

/** Lines of two buses that only cross are not joined: one passes under the other. */
function signOf(ways: readonly number[]): string {
  const all = ways.reduce((sum, one) => sum | one, 0)
  const crosses = all === (ALONG | ACROSS) && ways.every(one => one === ALONG || one === ACROSS)
  return crosses ? '│' : (SIGNS[all] ?? ' ')
}

function spanOf({ from, to }: Bus): [number, number] {
  return [Math.min(...from, ...to), Math.max(...from, ...to)]
}

function isStraight({ from, to }: Bus): boolean {
  const [top, bottom] = spanOf({ from, to })
  return top === bottom
}

/** Each in the first channel that is free for it, behind those that must stand before it. */
function routedOf(buses: readonly Bus[]): Routed[] | null {
  const done: Routed[] = buses.filter(isStraight).map(bus => ({ ...bus, channel: 0 }))
  const bent: Routed[] = []
  const left = buses.filter(bus => !isStraight(bus))
  while (left.length > 0) {
    const next = left.findIndex(bus => !left.some(other => other !== bus && mustPrecede(other, bus)))
    if (next === -1) return null
    const [bus] = left.splice(next, 1)
    let channel = Math.max(0, ...bent.filter(other => mustPrecede(other, bus!)).map(other => other.channel + 1))
    while (bent.some(other => other.channel === channel && overlap(other, bus!))) channel++
    bent.push({ ...bus!, channel })
  }
  return [...done, ...bent]
}

/**
 * Where a step stands in the row of one that others lead to, its own line has to turn away before theirs come in, or they
 * would seem to be one. Not when that would say nothing wrong.
 */
function mustPrecede(bus: Bus, other: Bus): boolean {
  return bus.from.some(row => {
    if (!other.to.includes(row)) return false
    return !(bus.to.includes(row) && bus.to.every(target => other.to.includes(target)))
  })
}

function overlap(one: Bus, other: Bus): boolean {
  const [top, bottom] = spanOf(one)
  const [otherTop, otherBottom] = spanOf(other)
  return top <= otherBottom && otherTop <= bottom
}
