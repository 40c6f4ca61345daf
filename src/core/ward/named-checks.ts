import { oneLine } from '../plain-text.ts'
import { nameOfFailure, type ReadCheck } from './ward-report.ts'

// As many as fit into a line that somebody reads; the report has the rest.
const MOST_NAMED = 5
const NAME_CHARACTERS = 160

/** The checks that are not green, in one line: the failures that a command names, else the command; and why one could not be run. */
export function namedChecks(read: Pick<ReadCheck, 'result' | 'failures'>[]): string | null {
  const names = read.flatMap(({ result: { command, how, why }, failures }) => {
    if (how === 'green') return []
    if (how === 'red' && failures.length > 0) return failures.map(nameOfFailure)
    // The reason last, and whole: a long command must not cut it off.
    return [why ? `${oneLine(command, NAME_CHARACTERS)} (${why})` : command]
  })
  const all = [...new Set(names.map(name => oneLine(name, 2 * NAME_CHARACTERS)))].filter(Boolean)
  if (all.length === 0) return null
  const rest = all.length - MOST_NAMED
  const shown = all.slice(0, MOST_NAMED)
  return `${shown.join('; ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
