/**
 * What tokens cost, in USD per million: what the client itself counted for each model on the day below. Its own
 * figures are taken wherever it writes them; this is for the moments before it does.
 */
export const PRICES_DATED = '2026-11-15'

type Price = { input: number; output: number; cacheRead: number; cacheWrite: number }

const PRICES: [prefix: string, price: Price][] = [
  ['claude-opus-5', { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 }],
  ['claude-opus-4', { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 }],
  ['claude-sonnet-5', { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 }],
  ['claude-sonnet-4', { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }],
  ['claude-haiku-4', { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 }],
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
