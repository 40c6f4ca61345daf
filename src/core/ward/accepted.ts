import type { WardOutcome } from '../../contract/loop.ts'

/** What a ward says when some checks may be red, because they were before: old reds refuse nothing. */
export function standing(
  { result, failing }: Pick<WardOutcome, 'result' | 'failing'>,
  accepted: readonly string[],
): WardOutcome['result'] {
  if (result !== 'red') return result
  return failing.length > 0 && failing.every(check => accepted.includes(check)) ? 'green' : 'red'
}
