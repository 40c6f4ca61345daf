import type { Usage } from './message.ts'

// Dollars for a million tokens, as the client reckons them: input, output, read from the cache, written to the cache.
const PRICES: [family: string, prices: [number, number, number, number]][] = [
  ['fable', [8, 40, 0.2, 10]],
  ['sonnet', [2, 10, 0.1, 2.5]],
  ['haiku', [0.1, 0.5, 0.01, 0.125]],
]
const OTHERS: [number, number, number, number] = [4, 20, 0.2, 5]

export function costUsd(model: string, usage: Usage): number {
  const [input, output, read, write] = PRICES.find(([family]) => model.includes(family))?.[1] ?? OTHERS
  const micro =
    usage.input_tokens * input +
    usage.output_tokens * output +
    usage.cache_read_input_tokens * read +
    usage.cache_creation_input_tokens * write
  return micro / 1e6
}
