/** Chance that can be had again: the same seed gives the same choices. (mulberry32: small, and good enough for tests.) */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** At least 0, below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }

  /** A whole number of `from` to `to`, both included. */
  between(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1))
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(list: readonly T[]): T {
    return list[this.between(0, list.length - 1)]!
  }

  /** By weight; a weight of 0 is never picked. */
  weighted<T extends string>(weights: Partial<Record<T, number>>): T {
    const entries = Object.entries(weights) as [T, number][]
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [name, weight] of entries) {
      left -= weight
      if (left < 0) return name
    }
    return entries.at(-1)![0]
  }

  bytes(length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length)
    for (let n = 0; n < length; n++) bytes[n] = this.next() * 256
    return bytes
  }
}
