import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nameOf, type Report } from './report.ts'

export const ALL_RESULT = 'test-results/all.json'

/** What `npm run test:all` leaves behind. The file is committed. */
export interface AllResult {
  date: string
  node: string
  /** The hash of the tree without result files. Null outside of a git checkout. */
  tree: string | null
  passed: number
  failed: number
  failedTests: string[]
  failedSeeds: string[]
  seconds: number
  /** The last green run, which may be an earlier one than this. */
  green: { date: string; tree: string | null; client: string } | null
}

// Exclude result files: a run changes them.
const RESULTS = /^(test-results|soak-results)\/|^bench\/results\.json$/

/** Returns one hash for all files that git tracks or would track, as they are now, without result files. */
export function treeHash(root: string): string | null {
  const list = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  if (list.status !== 0) return null
  const files = list.stdout.toString().split('\0').filter(Boolean)
  return hashOf(
    root,
    files.filter(file => !RESULTS.test(file)),
  )
}

/** The puppet stands in for the real client as long as these stay as they were when both were last compared. */
const CLIENT_FILES = [
  'src/adapters/claude/**',
  'src/contract/{hook,stream,transcript}*.ts',
  'src/rehearsal/**',
  'test/client/**',
  'test/puppet/**',
]

/** Returns one hash for the files that decide about the real client, and for its version. */
export function clientHash(root: string): string {
  const { devDependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const found = globSync(CLIENT_FILES, { cwd: root, withFileTypes: true })
  const files = found.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  const paths = files.map(file => file.slice(join(root, '/').length))
  return `${hashOf(root, paths)}-${devDependencies['@anthropic-ai/claude-code'] ?? 'none'}`
}

export function readAllResult(root: string): AllResult | null {
  try {
    return JSON.parse(readFileSync(join(root, ALL_RESULT), 'utf8'))
  } catch {
    return null
  }
}

export function writeAllResult(
  root: string,
  report: Report,
  { isGreen, startedMs, tree }: { isGreen: boolean; startedMs: number; tree: string | null },
): void {
  const date = new Date(startedMs).toISOString()
  const failedTests = report.failures.map(nameOf)
  const result: AllResult = {
    date,
    node: process.version,
    tree,
    passed: report.passed,
    failed: report.failed,
    failedTests,
    failedSeeds: failedTests.filter(name => /seed \d+/.test(name)),
    seconds: Math.round((Date.now() - startedMs) / 1000),
    green: isGreen ? { date, tree, client: clientHash(root) } : (readAllResult(root)?.green ?? null),
  }
  mkdirSync(join(root, 'test-results'), { recursive: true })
  writeFileSync(join(root, ALL_RESULT), `${JSON.stringify(result, null, 2)}\n`)
}

/** Returns why `npm test` has to play everything now, or undefined when the last green test:all still counts. */
export function whyAll(root: string): string | undefined {
  const green = readAllResult(root)?.green
  if (!green) return 'npm run test:all has never been green'
  if (green.client !== clientHash(root))
    return 'files that decide about the real client have changed since the last green npm run test:all'
  return undefined
}

/** One line about the last test:all: how old it is, and whether it was run on this tree. */
export function ageLine(result: AllResult | null, tree: string | null, nowMs: number): string {
  if (!result) return 'test:all has never run'
  const { green } = result
  const isGreen = green?.date === result.date
  const where = tree !== null && result.tree === tree ? 'on this tree' : 'on another tree'
  const last = `${result.passed} passed, ${result.failed} failed, ${ageOf(result.date, nowMs)}, ${where}`
  if (isGreen) return `test:all: green, ${last}`
  return `test:all: red, ${last}; ${green ? `last green ${ageOf(green.date, nowMs)}` : 'never green'}`
}

const HOUR_MS = 3_600_000

function ageOf(date: string, nowMs: number): string {
  const hours = Math.floor((nowMs - Date.parse(date)) / HOUR_MS)
  if (hours < 1) return 'less than an hour ago'
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`
}

function hashOf(root: string, files: string[]): string {
  const hash = createHash('sha256')
  for (const file of files.toSorted())
    hash
      .update(`${file}\0`)
      .update(contentOf(join(root, file)))
      .update('\0')
  return hash.digest('hex').slice(0, 16)
}

/** A file that git still lists may be deleted. */
function contentOf(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch {
    return Buffer.from('')
  }
}
