type Price = { input: number; output: number; cacheRead: number; cacheWrite: number }

export type Prices = readonly (readonly [prefix: string, price: Price])[]

/**
 * What tokens cost, in USD per million: what the client itself counted for each model on 2026-11-15. Its own
 * figures are taken wherever it writes them; this is for the moments before it does.
 */
const PRICES: Prices = [
  ['claude-opus-5', { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 }],
  ['claude-opus-4', { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 }],
  ['claude-sonnet-5', { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 }],
  ['claude-sonnet-4', { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }],
  ['claude-haiku-4', { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 }],
]

/** What a user's configuration says of models: `<beginning of its name>=<input>/<output>`, USD per million tokens. */
export function pricesIn(lines: readonly string[]): Prices {
  return lines.map(line => {
    const [prefix = '', amounts = ''] = line.split('=')
    const [input = 0, output = 0] = amounts.split('/').map(Number)
    // What is read from the cache costs a tenth of what is new, and what is put there a quarter more, for all of them.
    return [prefix, { input, output, cacheRead: input * 0.1, cacheWrite: input * 1.25 }] as const
  })
}

/** Null for a model that is not in the tables: a made-up price would be worse than none. `own` comes first. */
export function priceOf(
  model: string,
  usage: { input: number; output: number; cacheRead: number; cacheWrite: number },
  own: Prices,
): number | null {
  const price = [...own, ...PRICES].find(([prefix]) => model.startsWith(prefix))?.[1]
  if (!price) return null
  const { input, output, cacheRead, cacheWrite } = usage
  return (
    (input * price.input + output * price.output + cacheRead * price.cacheRead + cacheWrite * price.cacheWrite) / 1e6
  )
}
