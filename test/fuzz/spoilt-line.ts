import type { Random } from '../runtime/lane/random.ts'

/** A line that a client wrote, spoilt in one of the ways in which lines are: cut, flipped, retyped, swollen, replaced. */
export function spoiltLine(random: Random, line: string): Buffer {
  switch (random.weighted({ cut: 4, flipped: 4, retyped: 10, swollen: 0.5, deep: 1, bytes: 3, other: 3, huge: 0.3 })) {
    case 'cut':
      return Buffer.from(line).subarray(0, random.between(0, line.length))
    case 'flipped': {
      const bytes = Buffer.from(line)
      for (let n = random.between(1, 5); n > 0; n--)
        bytes[random.between(0, bytes.length - 1)]! ^= 1 << random.between(0, 7)
      return withoutNewlines(bytes)
    }
    case 'retyped':
      return Buffer.from(JSON.stringify(retyped(random, JSON.parse(line))))
    case 'swollen':
      return Buffer.from(line.replace('":"', () => `":"${'x'.repeat(random.between(1, 150_000))}`))
    case 'deep':
      return Buffer.from(
        line.replace(/":("[^"]*"|\{|\[)/, all => `":${'['.repeat(random.between(1, 2_000))}${all.slice(2)}`),
      )
    case 'bytes':
      return withoutNewlines(random.bytes(random.between(0, 400)))
    case 'other':
      return Buffer.from(JSON.stringify({ ...JSON.parse(line), type: random.pick(['weather', '', 7, null, {}, []]) }))
    case 'huge':
      return Buffer.alloc(random.between(200_001, 400_000), random.pick(['{', 'a', '\0', '"']))
  }
}

/** Values of other types in a few places, at any depth. */
function retyped(random: Random, value: unknown): unknown {
  if (random.chance(0.001)) return 'x'.repeat(70_000)
  if (random.chance(0.08)) return random.pick<unknown>([null, true, -1, 1e308, '', 'text', [], {}, [[]], { a: 1 }])
  if (Array.isArray(value)) return value.map(inner => retyped(random, inner))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, retyped(random, inner)]))
}

function withoutNewlines(bytes: Buffer): Buffer {
  return bytes.map(byte => (byte === 0x0a ? 0x0b : byte)) as Buffer
}
