import { opendir } from 'node:fs/promises'
import { join } from 'node:path'
import type { WardFiles } from '../../contract/ward.ts'
import { readBounded } from './bounded-file.ts'

const DEFINITIONS = [
  ...['package.json', 'GNUmakefile', 'makefile', 'Makefile', 'Cargo.toml'],
  ...['pyproject.toml', 'setup.cfg', 'tox.ini'],
]
// The largest that is written by hand has some ten KB; what is cut off is not valid JSON, and found to be nothing.
const LARGEST_DEFINITION = 1024 * 1024
// A directory with more is no project's top.
const MOST_NAMES = 10_000

/** What a directory says about its checks. One that is not there says nothing. */
export async function readWardFiles(directory: string): Promise<WardFiles> {
  const names = await namesIn(directory)
  const texts: Record<string, string> = {}
  for (const name of DEFINITIONS.filter(definition => names.includes(definition))) {
    const content = await readBounded(join(directory, name), LARGEST_DEFINITION)
    if (content) texts[name] = content.toString('utf8')
  }
  const below = await Promise.all(['tests', 'test'].map(name => namesIn(join(directory, name))))
  return { names, texts, pythonTests: [...names, ...below.flat()].some(isPythonTest) }
}

async function namesIn(directory: string): Promise<string[]> {
  const names: string[] = []
  try {
    for await (const { name } of await opendir(directory)) if (names.push(name) >= MOST_NAMES) break
  } catch {
    // Not there, no directory, or not ours to read: then it has no checks either.
  }
  return names.sort()
}

function isPythonTest(name: string): boolean {
  return /^test_.*\.py$|_test\.py$/.test(name)
}
