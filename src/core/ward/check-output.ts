import { plain } from '../plain-text.ts'
import { readCargo } from './check-output/cargo.ts'
import { readBiome, readEslint, readTsc } from './check-output/diagnostics.ts'
import { readGo, readGoJson } from './check-output/go.ts'
import { readJest, readNodeTest, readVitest } from './check-output/javascript.ts'
import { readJunit } from './check-output/junit.ts'
import { readPytest } from './check-output/pytest.ts'
import { collected, type Failure, type Reader } from './check-output/reading.ts'
import { readTap } from './check-output/tap.ts'

// Machines' formats before people's, and runners before compilers: a runner prints what the code under test prints.
const READERS = {
  junit: readJunit,
  tap: readTap,
  'go-json': readGoJson,
  vitest: readVitest,
  jest: readJest,
  'node-test': readNodeTest,
  pytest: readPytest,
  cargo: readCargo,
  go: readGo,
  eslint: readEslint,
  biome: readBiome,
  tsc: readTsc,
} satisfies Record<string, Reader>

export type CheckFormat = keyof typeof READERS
export type { Failure }

// Runners sum up at the end, so that is the part that is kept. A line beyond its limit is data, not a report.
const LONGEST_OUTPUT = 2_000_000
const MOST_LINES = 100_000
const LONGEST_LINE = 4_000

/**
 * The named failures in what a ward command printed, where we know the format. `root` is the directory that it ran in: its
 * path differs from one worktree to the next and is taken out. Null: no format that we know.
 */
export function failuresIn(output: string, root: string): { format: CheckFormat; failures: Failure[] } | null {
  const text = plain(output.slice(-LONGEST_OUTPUT))
  const rootless = root.length > 1 ? text.replaceAll(root.endsWith('/') ? root : `${root}/`, '') : text
  const lines = rootless
    .split('\n')
    .slice(-MOST_LINES)
    .map(line => line.slice(0, LONGEST_LINE))
  let known: CheckFormat | null = null
  for (const [format, read] of Object.entries(READERS) as [CheckFormat, Reader][]) {
    const found = read(lines, rootless)
    if (found === null) continue
    const failures = collected(found)
    if (failures.length > 0) return { format, failures }
    // Another format may follow in the same output (`vitest && tsc`), so a green one does not end the search.
    known ??= format
  }
  return known === null ? null : { format: known, failures: [] }
}
