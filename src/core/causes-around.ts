import type { Cause } from '../contract/run.ts'

/** What around a run keeps it from going on, and what a person does about it before it goes on. */
export const SURROUNDINGS: Partial<Record<Cause, string>> = {
  'needs-environment': 'in a shell that has them',
  'project-missing': 'when it is back',
  'session-busy': 'when it is closed there',
  'git-busy': 'when that is finished',
  unpriced: 'after that',
}

export function isHeldByPlace(cause: Cause): boolean {
  return SURROUNDINGS[cause] !== undefined
}
