import { confusion, type Judged, judgedNegations, judgedSet } from '../test/loop/confusion.ts'
import { firstTries } from '../test/loop/judge-cases/first-tries.ts'
import { negations } from '../test/loop/judge-cases/negations.ts'

const VERDICTS = ['complete', 'continue', 'stalled', 'blocked'] as const

/** What the heuristic judge says of the labelled set, and of every true claim under every negation. */
export type JudgeFigure = {
  name: string
  cases: number
  /** Label (or negation), then verdict, then how often. */
  matrix: Record<string, Record<string, number>>
  /** Shares, and what was promised of them. */
  falseComplete: number
  foundComplete: number
  falseStalled: number
  /** On cases that it had never seen: the figures above are of a set that it was written for. */
  firstTries: typeof firstTries
  missed: string[]
}

export function judgeBench(): JudgeFigure {
  const set = judgedSet()
  const turned = Object.keys(negations).map(name => [name, judgedNegations(name)] as const)
  const all: Judged[] = [
    ...set,
    ...turned.flatMap(([, cases]) => cases.map(one => ({ ...one, label: 'continue' as const }))),
  ]
  const falseComplete = all.filter(({ label, verdict }) => verdict === 'complete' && label !== 'complete').length
  const foundComplete = share(set, 'complete', label => label === 'complete')
  const falseStalled = share(set, 'stalled', label => label !== 'stalled')
  return {
    name: 'the heuristic judge',
    cases: all.length,
    matrix: {
      ...confusion(set),
      ...Object.fromEntries(turned.map(([name, cases]) => [`not: ${name}`, confusion(cases).complete!])),
    },
    falseComplete,
    foundComplete,
    falseStalled,
    firstTries,
    missed: [
      ...(falseComplete > 0 ? [`the judge: ${falseComplete} false complete, none was promised`] : []),
      ...(foundComplete < 0.8 ? [`the judge: ${foundComplete} of the true ends found, at least 0.8 was promised`] : []),
      ...(falseStalled >= 0.02 ? [`the judge: ${falseStalled} false stalled, under 0.02 was promised`] : []),
    ],
  }
}

export function matrixLines({
  name,
  cases,
  matrix,
  falseComplete,
  foundComplete,
  falseStalled,
}: JudgeFigure): string[] {
  const row = (cells: (string | number)[]) =>
    cells.map((cell, n) => (n === 0 ? String(cell).padEnd(24) : String(cell).padStart(10))).join('')
  return [
    `${name}: ${cases} cases; ${falseComplete} false complete (none allowed), ${percent(foundComplete)} of the true ones found (at least 80%), ${percent(falseStalled)} false stalled (under 2%)`,
    row(['label / verdict', ...VERDICTS]),
    ...Object.entries(matrix).map(([label, counts]) => row([label, ...VERDICTS.map(verdict => counts[verdict] ?? 0)])),
    'on cases that it met for the first time (the last ones as iterations ordinarily end, the others traps):',
    ...firstTries.map(
      one =>
        `  ${one.files}: ${one.right} of ${one.cases} right, ${one.foundComplete} of ${one.trueComplete} ends found, ${one.falseComplete} false complete`,
    ),
  ]
}

/** Of the cases with such a label, how many got this verdict. */
function share(cases: Judged[], verdict: Judged['verdict'], isMine: (label: Judged['label']) => boolean): number {
  const mine = cases.filter(({ label }) => isMine(label))
  return Number((mine.filter(one => one.verdict === verdict).length / mine.length).toFixed(4))
}

function percent(part: number): string {
  return `${(part * 100).toFixed(1)}%`
}
