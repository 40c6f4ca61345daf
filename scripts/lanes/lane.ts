import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** In the order in which they run: a broken law is reported within the first minute. */
export const LANES = ['pure', 'adapters', 'daemon', 'kill'] as const
export type Lane = (typeof LANES)[number]

/** Where a failed test may be run once more. A failed law, adapter or kill story is a defect that a retry would hide. */
export const RETRIED_LANES: readonly string[] = ['daemon'] satisfies Lane[]

// Whoever imports one of these starts the built program or a client.
const STARTS_PROGRAM = /^test\/support\/(programs|real-client)\.ts$|^test\/fuzz\/measured\.ts$/
const STARTS_PROCESS = /^(node:child_process|execa|node:net|node:http)$/
// Types are gone when the file runs, so `import type` is not an import.
const IMPORT = /^(?:import|export)\s(?!type\s)(?:[^'"]*?\sfrom\s+)?'([^']+)'/gm

/** Returns the lane of a test file. What the file imports decides it, so no list has to be kept. */
export function laneOf(root: string, file: string, imports = new Map<string, Set<string>>()): Lane {
  if (/kill[^/]*\.test\.ts$/.test(file)) return 'kill'
  const reached = [...reachedFrom(root, file, imports)]
  if (reached.some(name => STARTS_PROGRAM.test(name))) return 'daemon'
  return reached.some(name => STARTS_PROCESS.test(name)) ? 'adapters' : 'pure'
}

/** Everything that a file imports, directly or through other files: paths below the root, and names of packages. */
function reachedFrom(root: string, file: string, imports: Map<string, Set<string>>): Set<string> {
  const reached = new Set<string>()
  const queue = [file]
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (const name of importsOf(root, next, imports)) {
      if (reached.has(name)) continue
      reached.add(name)
      if (/\.tsx?$/.test(name)) queue.push(name)
    }
  }
  return reached
}

function importsOf(root: string, file: string, imports: Map<string, Set<string>>): Set<string> {
  let found = imports.get(file)
  if (!found) {
    // An import that stands in a text leads nowhere. One in the code fails when the test runs.
    const path = join(root, file)
    const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
    const names = [...text.matchAll(IMPORT)].map(([, name]) => name!)
    found = new Set(names.map(name => (name.startsWith('.') ? join(dirname(file), name) : name)))
    imports.set(file, found)
  }
  return found
}
