import type { CommandResult } from '../../contract/ward.ts'

/** One check that is not green. Its id is the same for as long as it fails in the same way. */
export type FailingCheck = {
  id: string
  command: string
  /** Of the command's output, where that is a format that we know; null for the command itself. */
  failure: string | null
}

/** As many as a journal's line takes; what goes beyond them is one more, that changes whenever any of these does. */
export const MOST_CHECKS = 500

// Longer names are made by tests with their data in the title; the beginning tells them apart, or nothing does.
const LONGEST_NAME = 300

/** Red counts most: one red check makes the ward red, whatever could not be run beside it. */
export function wardStands(results: Pick<CommandResult, 'how'>[]): 'green' | 'red' | 'could-not-run' {
  if (results.some(({ how }) => how === 'red' || how === 'hung')) return 'red'
  return results.some(({ how }) => how === 'could-not-run') ? 'could-not-run' : 'green'
}

/**
 * A command is a check, and so is each failure that is named in its output. A command that is red without any name is another check
 * than the same command with names, and so is one that hangs: what was red before in another way is not an old red.
 */
export function failingChecks(
  results: Pick<CommandResult, 'command' | 'how'>[],
  failuresOf: (result: number) => readonly string[],
): FailingCheck[] {
  const checks = results.flatMap(({ command, how }, index) => {
    if (how === 'hung') return [check('hung', command, null)]
    if (how !== 'red') return []
    const names = [...new Set(failuresOf(index).map(nameOf))].filter(Boolean).sort()
    if (names.length === 0) return [check('red', command, null)]
    return [check('red with names', command, null), ...names.map(name => check('failure', command, name))]
  })
  return bounded([...new Map(checks.map(one => [one.id, one])).values()])
}

function check(kind: string, command: string, failure: string | null): FailingCheck {
  return { id: JSON.stringify([kind, command, failure]), command, failure }
}

/** How long it took, and where it stood in a run, are not the check. */
function nameOf(failure: string): string {
  return failure
    .replace(/\s+/g, ' ')
    .replace(/ (\(\d+(\.\d+)? ?m?s\)|\d+(\.\d+)?m?s)$/, '')
    .trim()
    .slice(0, LONGEST_NAME)
}

function bounded(checks: FailingCheck[]): FailingCheck[] {
  if (checks.length <= MOST_CHECKS) return checks
  const rest = checks.slice(MOST_CHECKS - 1)
  const more = {
    id: JSON.stringify(rest.map(({ id }) => id)),
    command: rest[0]!.command,
    failure: `${rest.length} more`,
  }
  return [...checks.slice(0, MOST_CHECKS - 1), more]
}
