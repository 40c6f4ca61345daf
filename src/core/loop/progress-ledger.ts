import type { LoopRun } from './loop-state.ts'

/**
 * What can move: tree, tasks (both in `tree`), failing checks of the last ward, criteria. Null where there is nothing of
 * it: without git, ward and tasks nobody can say that something stood still.
 */
export function ledgerOf(
  tree: string | null,
  { lastWard, criteria }: Pick<LoopRun, 'lastWard' | 'criteria'>,
): string | null {
  if (tree === null && lastWard === null) return null
  return [tree ?? '', lastWard?.failing.join(',') ?? '', criteria.join('')].join('|')
}
