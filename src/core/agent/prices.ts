/**
 * What tokens cost, in USD per million, as published on the day below. A session's own `cost-state` is taken instead
 * where the client writes one; this is for the moments before it does.
 */
export const PRICES_DATED = '2026-11-01'

type Price = { input: number; output: number; cacheRead: number; cacheWrite: number }

const PRICES: [prefix: string, price: Price][] = [
  ['claude-opus', { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 }],
  ['claude-sonnet', { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }],
  ['claude-haiku', { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 }],
]

/** Zero for a model that is not in the table: a made-up price would be worse than none. */
export function priceOf(
  model: string,
  usage: { input: number; output: number; cacheRead: number; cacheWrite: number },
): number {
  const price = PRICES.find(([prefix]) => model.startsWith(prefix))?.[1]
  if (!price) return 0
  const { input, output, cacheRead, cacheWrite } = usage
  return (
    (input * price.input + output * price.output + cacheRead * price.cacheRead + cacheWrite * price.cacheWrite) / 1e6
  )
}
