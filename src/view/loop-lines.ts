import type { IterationView, LoopView } from '../contract/loop.ts'
import type { RunDetail } from '../contract/run.ts'
import { plainLine } from './plain.ts'
import { table } from './run-words.ts'
import { costWords, durationWords, numberOf } from './words.ts'

/** What a loop adds to its page: where it is, what its criteria say, and its iterations. */
export function loopFacts(run: RunDetail): [string, string][] {
  const { loop } = run
  if (!loop) return []
  const facts: [string, string][] = [
    ['iteration', `${run.iteration} of at most ${run.maxIterations}`],
    ['judge', `${loop.judge}; stop word ${loop.stopWord}`],
    [
      'moved',
      loop.unmovedFor === 0
        ? 'yes'
        : `nothing for ${numberOf(loop.unmovedFor, 'iteration')}, ${loop.stallAfter} end it`,
    ],
  ]
  if (loop.refusedClaims) facts.push(['refused', `${numberOf(loop.refusedClaims, 'claim')}, 3 end it`])
  const checks = checksWords(loop)
  if (checks) facts.push(['checks', checks])
  if (loop.baseRed) facts.push(['base', `${numberOf(loop.baseRed, 'check')} failed before it began`])
  if (loop.criteria.some(mark => mark !== 'UNKNOWN')) {
    facts.push(['criteria', loop.criteria.map((mark, n) => `C${n + 1} ${mark}`).join(', ')])
  }
  return facts
}

/** Those that are not green, by name; null: nothing is to be said. */
function checksWords({ checks }: Pick<LoopView, 'checks'>): string | null {
  if (!checks || checks.result === 'green') return null
  const on = checks.iteration === 0 ? 'before it began' : `at iteration ${checks.iteration}`
  const how = checks.result === 'red' ? `red ${on}` : `could not be run ${on}`
  return checks.names ? `${how}: ${plainLine(checks.names, 1_500)}` : how
}

export function iterationLines(run: RunDetail): string[] {
  const { loop } = run
  if (!loop || loop.iterations.length === 0) return []
  const rows = loop.iterations.map(iteration => [
    String(iteration.iteration),
    iteration.state === 'ended' ? (iteration.outcome ?? '') : iteration.state,
    took(iteration),
    String(iteration.toolCalls),
    costWords(iteration.costUsd),
    iteration.moved === null ? '' : iteration.moved ? 'moved' : 'still',
    iteration.ward ?? '',
    [iteration.claim && `claim (${iteration.claim})`, iteration.verdict, iteration.markedWrong && 'marked wrong']
      .filter(Boolean)
      .join(', '),
  ])
  return [
    '',
    ...table([['iteration', 'end', 'took', 'tools', 'cost', 'ledger', 'checks', 'verdict'], ...rows], [0, 3, 4]),
  ]
}

function took({ startedAt, endedAt }: IterationView): string {
  return startedAt && endedAt ? durationWords(Date.parse(endedAt) - Date.parse(startedAt)) : ''
}
