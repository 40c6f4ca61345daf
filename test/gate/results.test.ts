import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempDisposableSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addRow, type Row, rowsOf, wrongIn } from '../../scripts/lanes/repeat-table.ts'
import { type Failure, nothingRan, type Report, slowestLines } from '../../scripts/lanes/report.ts'
import { ageLine, readAllResult, treeHash, whyAll, writeAllResult } from '../../scripts/lanes/results.ts'

const green: Report = { ...nothingRan, passed: 5 }
const seed: Failure = { file: 'test/loop/random-kill.test.ts', lane: 'kill', titles: ['killed (seed 14)'], error: 'x' }
const red: Report = { ...nothingRan, passed: 4, failed: 1, failures: [seed] }
const NOW = Date.parse('2026-11-18T12:00:00Z')

test.each([
  ['a client adapter', 'src/adapters/claude/headless.ts'],
  ['a shape of hooks', 'src/contract/hook-body.ts'],
  ['a shape of the stream', 'src/contract/stream.ts'],
  ['a shape of the transcript', 'src/contract/transcript.ts'],
  ['the rehearsal', 'src/rehearsal/model.ts'],
  ['the puppet', 'test/puppet/main.ts'],
  ['a recording', 'test/client/recordings/scenes.json'],
  ['the version of the client', 'package.json'],
])('everything is due after a change of %s, until test:all is green again [test-all-due]', (_, file) => {
  using project = checkout()
  write(project.path, green, NOW)
  expect(whyAll(project.path)).toBeUndefined()
  project.write(file, '{ "devDependencies": { "@anthropic-ai/claude-code": "9.9.9" } }')
  expect(whyAll(project.path)).toContain('have changed')
  write(project.path, red, NOW)
  expect(whyAll(project.path)).toContain('have changed')
  write(project.path, green, NOW)
  expect(whyAll(project.path)).toBeUndefined()
})

test('everything is due until test:all has been green once [test-all-due]', () => {
  using project = checkout()
  expect(whyAll(project.path)).toContain('never been green')
  write(project.path, red, NOW)
  expect(whyAll(project.path)).toContain('never been green')
  write(project.path, green, NOW)
  expect(whyAll(project.path)).toBeUndefined()
})

test('a change anywhere else makes nothing due [test-all-due]', () => {
  using project = checkout()
  write(project.path, green, NOW)
  project.write('src/core/loop.ts', 'changed')
  expect(whyAll(project.path)).toBeUndefined()
})

test('a result has the tree, the date, the counts, the failed seeds and the last green run [test-results-kept]', () => {
  using project = checkout()
  write(project.path, green, NOW)
  const first = readAllResult(project.path)!
  project.write('src/core/loop.ts', 'changed')
  write(project.path, red, NOW + 86_400_000)
  const name = 'test/loop/random-kill.test.ts > killed (seed 14)'
  expect(readAllResult(project.path)).toMatchObject({
    date: '2026-11-19T12:00:00.000Z',
    tree: treeHash(project.path),
    ...{ passed: 4, failed: 1, failedTests: [name], failedSeeds: [name] },
    green: { date: first.date, tree: first.tree },
  })
  expect(first.tree).not.toBe(treeHash(project.path))
})

test('the hash of a tree follows every file but those that results are kept in [test-results-kept]', () => {
  using project = checkout()
  const before = treeHash(project.path)
  for (const file of ['test-results/all.json', 'soak-results/loops.json', 'bench/results.json'])
    project.write(file, 'x')
  expect(treeHash(project.path)).toBe(before)
  project.write('a new file', 'x')
  expect(treeHash(project.path)).not.toBe(before)
  rmSync(join(project.path, 'a new file'))
  expect(treeHash(project.path)).toBe(before)
})

test('npm test prints the age of the last test:all and whether it ran on this tree [test-results-kept]', () => {
  using project = checkout()
  expect(ageLine(null, 'x', NOW)).toBe('test:all has never run')
  write(project.path, green, NOW)
  const tree = treeHash(project.path)
  expect(ageLine(readAllResult(project.path), tree, NOW + 60_000)).toBe(
    'test:all: green, 5 passed, 0 failed, less than an hour ago, on this tree',
  )
  write(project.path, red, NOW + 86_400_000)
  expect(ageLine(readAllResult(project.path), 'other', NOW + 3 * 86_400_000)).toBe(
    'test:all: red, 4 passed, 1 failed, 2 days ago, on another tree; last green 3 days ago',
  )
})

test('the ten slowest files are listed, slowest first [test-counts]', () => {
  const lines = slowestLines(Array.from({ length: 12 }, (_, n) => ({ file: `f${n}`, seconds: n })))
  expect([lines.length, lines[0], lines[9]]).toEqual([10, '   11.0 s  f11', '    2.0 s  f2'])
})

const row: Row = {
  ...{ date: '2026-11-18T12:00:00.000Z', tree: 'abc', kind: 'idle', exitCode: 0 },
  ...{ passed: 9, failed: 0, seconds: 300, names: '' },
}

test('rows of the table are read as they were added [test-repeat]', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'rehoboam-table-'))
  const file = join(folder.path, 'repeat.md')
  const failed = { ...row, kind: 'busy', exitCode: 1, failed: 1, names: 'a test > with / in it' }
  for (const one of [row, { ...failed, names: 'a test > with | in it' }]) addRow(file, one)
  expect(rowsOf(file)).toEqual([row, failed])
})

test('a run is wrong when it failed, and when it was slow on idle cores [test-repeat]', () => {
  expect(wrongIn(row)).toEqual([])
  expect(wrongIn({ ...row, exitCode: 1, failed: 1, names: 'x > y' })).toEqual([
    `${row.date}: 1 failed, exit code 1 x > y`,
  ])
  expect(wrongIn({ ...row, seconds: 601 })).toHaveLength(1)
  expect(wrongIn({ ...row, kind: 'busy', seconds: 6_000 })).toEqual([])
})

function write(path: string, report: Report, startedMs: number): void {
  writeAllResult(path, report, { isGreen: report === green, startedMs, tree: treeHash(path) })
}

/** A checkout of a few files, in a git repository of its own. */
function checkout() {
  const folder = mkdtempDisposableSync(join(tmpdir(), 'rehoboam-results-'))
  const write = (file: string, text: string) => {
    mkdirSync(join(folder.path, file, '..'), { recursive: true })
    writeFileSync(join(folder.path, file), text)
  }
  execFileSync('git', ['init', '-q'], { cwd: folder.path })
  write('package.json', '{ "devDependencies": { "@anthropic-ai/claude-code": "2.1.325" } }')
  write('src/adapters/claude/headless.ts', '')
  write('src/core/loop.ts', '')
  return { path: folder.path, write, [Symbol.dispose]: () => folder.remove() }
}
