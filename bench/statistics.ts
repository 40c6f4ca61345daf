/** Medians of runs that take turns: what slows the machine down for a while slows both sides down. */

export type Side = { name: string; run: () => number | Promise<number> }

/** One comparison: how many times as long `subject` takes as `baseline`, and how long both take. */
export type Figure = {
  name: string
  baseline: { name: string; medianMs: number; bestMs: number }
  subject: { name: string; medianMs: number; bestMs: number }
  ratio: number
  /** Of the pairs, one by one: how far the machine let them differ. */
  spread: { least: number; most: number }
  limits: { ratio?: number; medianMs?: number }
  runs: number
  /** Where the subject's time goes, in milliseconds. */
  parts?: Record<string, number>
}

/** One thing measured by itself, because what it is held against is a number. */
export type Measure = { name: string; what: string; is: number; unit: 'ms' | 'MB' | 'graphs' | 'times'; under: number }

export async function compare(
  name: string,
  sides: { baseline: Side; subject: Side },
  runs: number,
  limits: Figure['limits'] = {},
): Promise<Figure> {
  const { baseline, subject } = sides
  const took: [number[], number[]] = [[], []]
  // Once without counting: the first of everything is slower.
  await baseline.run()
  await subject.run()
  for (let n = 0; n < runs; n++) {
    took[0].push(await baseline.run())
    took[1].push(await subject.run())
  }
  const [base, other] = took.map(median) as [number, number]
  const ratios = took[1].map((ms, n) => ms / took[0][n]!)
  return {
    name,
    baseline: { name: baseline.name, medianMs: rounded(base), bestMs: rounded(Math.min(...took[0])) },
    subject: { name: subject.name, medianMs: rounded(other), bestMs: rounded(Math.min(...took[1])) },
    ratio: rounded(other / base),
    spread: { least: rounded(Math.min(...ratios)), most: rounded(Math.max(...ratios)) },
    limits,
    runs,
  }
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** What is missed, in words; none when all limits hold. */
export function missed(figure: Figure | Measure): string[] {
  if ('under' in figure) {
    const { name, what, is, unit, under } = figure
    return is < under ? [] : [`${name}: ${what} is ${is} ${unit}, under ${under} was promised`]
  }
  const { name, ratio, subject, limits } = figure
  const over = (what: string, is: number, limit: number | undefined) =>
    limit !== undefined && !(is <= limit) ? [`${name}: ${what} is ${is}, at most ${limit} was promised`] : []
  return [...over('the ratio', ratio, limits.ratio), ...over('the median in ms', subject.medianMs, limits.medianMs)]
}

/** Milliseconds that a deed takes. */
export async function timed(deed: () => unknown): Promise<number> {
  const from = performance.now()
  await deed()
  return performance.now() - from
}

export function rounded(value: number): number {
  return Number(value.toPrecision(4))
}
