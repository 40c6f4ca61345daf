import { gainedIn } from '../../src/core/judge/gained.ts'
import { type HeuristicVerdict, judgeHeuristically } from '../../src/core/judge/judge-heuristic.ts'
import { judgeCases } from './judge-cases/all-cases.ts'
import type { JudgeCase } from './judge-cases/judge-case.ts'
import { negations } from './judge-cases/negations.ts'

export type Judged = JudgeCase & HeuristicVerdict

export function judged(one: JudgeCase, change = (text: string) => text): Judged {
  const gained = gainedIn(one.progressBefore, one.progressAfter)
  const heard = {
    lastMessage: change(one.lastMessage),
    progressGained: gained.trim() === '' ? '' : change(gained),
    anchor: one.anchor,
  }
  return { ...one, ...judgeHeuristically(heard) }
}

export const judgedSet = (): Judged[] => judgeCases.map(one => judged(one))

/** Every true claim, turned by one negation into something that is none. */
export function judgedNegations(name: string): Judged[] {
  const positives = judgeCases.filter(({ label }) => label === 'complete')
  return positives.map(one => judged(one, negations[name]))
}

/** How often each label got each verdict. */
export function confusion(cases: Judged[]): Record<string, Record<string, number>> {
  const matrix: Record<string, Record<string, number>> = {}
  for (const { label, verdict } of cases) {
    matrix[label] ??= {}
    matrix[label][verdict] = (matrix[label][verdict] ?? 0) + 1
  }
  return matrix
}
