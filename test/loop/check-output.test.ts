import { execFile } from 'node:child_process'
import { mkdtempDisposableSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type CheckFormat, failuresIn } from '../../src/core/ward/check-output.ts'
import fc from '../support/laws.ts'
import { hostile } from './hostile.ts'

const FIXTURES = join(import.meta.dirname, '../fixtures/check-output')
const fixture = (name: string) => readFileSync(join(FIXTURES, name), 'utf8')

const GO = [
  'example.com/demo/sum TestSum: sum_test.go:8: got 2, want 3',
  'example.com/demo/sum TestTable/negative: sum_test.go:21: got -1',
]
const VITEST = [
  "b.test.ts | b.test.ts: Error: Cannot find module './missing.ts' imported from vt/b.test.ts",
  'a.test.ts | adds wrongly: AssertionError: expected 2 to be 3 // Object.is equality',
  'a.test.ts | group > throws > really: TypeError: x is not a function',
]
const TYPES = [
  "bad.ts | TS2322: Type 'string' is not assignable to type 'number'.: Type 'string' is not assignable to type 'number'.",
  "bad.ts | TS2322: Type 'string' is not assignable to type 'number'. (2): Type 'string' is not assignable to type 'number'.",
  "bad.ts | TS2304: Cannot find name 'missing'.: Cannot find name 'missing'.",
]

/** Printed by the real programs, except jest, go and eslint, which follow their papers. */
const printed: [file: string, format: CheckFormat, failures: string[]][] = [
  ['node-tap.txt', 'tap', ['js/a.test.mjs | adds wrongly: 2 == 3', 'js/a.test.mjs | group > inner fails: boom # 1']],
  [
    'node-junit.xml',
    'junit',
    ['js/a.test.mjs | adds wrongly: 2 == 3', 'js/a.test.mjs | group > inner fails: boom # 1'],
  ],
  [
    'node-spec.txt',
    'node-test',
    [
      'js/a.test.mjs | adds wrongly: AssertionError [ERR_ASSERTION]: 2 == 3',
      'js/a.test.mjs | inner fails: Error: boom # 1',
    ],
  ],
  ['vitest.txt', 'vitest', VITEST],
  ['vitest-colour.txt', 'vitest', VITEST],
  [
    'vitest-tap.txt',
    'tap',
    [
      'vt/a.test.ts | a.test.ts > adds wrongly: expected 2 to be 3 // Object.is equality',
      'vt/a.test.ts | a.test.ts > group > throws > really: x is not a function',
      "vt/b.test.ts | b.test.ts: Cannot find module './missing.ts' imported from vt/b.test.ts",
    ],
  ],
  [
    'vitest-junit.xml',
    'junit',
    [
      'a.test.ts | adds wrongly: expected 2 to be 3 // Object.is equality',
      'a.test.ts | group > throws > really: x is not a function',
      "b.test.ts | b.test.ts: Cannot find module './missing.ts' imported from vt/b.test.ts",
    ],
  ],
  [
    'jest.txt',
    'jest',
    [
      'src/sum.test.js | adds wrongly: expect(received).toBe(expected) // Object.is equality',
      'src/sum.test.js | group > throws really: TypeError: x is not a function',
      "src/broken.test.js | src/broken.test.js: Cannot find module './missing' from 'src/broken.test.js'",
    ],
  ],
  ['pytest.txt', 'pytest', ['test_b.py | test_b.py']],
  [
    'pytest-q.txt',
    'pytest',
    [
      'test_a.py | test_sum: assert (1 + 1) == 3',
      'test_a.py | TestX::test_raises: ValueError: bad value: 7',
      'test_a.py | test_even[1]: assert (1 % 2) == 0',
      'test_a.py | test_uses: RuntimeError: no fixture',
    ],
  ],
  [
    'pytest-junit.xml',
    'junit',
    [
      'test_a > test_sum: assert (1 + 1) == 3',
      'test_a.TestX > test_raises: ValueError: bad value: 7',
      'test_a > test_even[1]: assert (1 % 2) == 0',
      'test_a > test_uses: failed on setup with "RuntimeError: no fixture"',
    ],
  ],
  ['go.txt', 'go', [...GO, 'example.com/demo/broken: [build failed]']],
  ['go-json.txt', 'go-json', [...GO, 'example.com/demo/broken']],
  [
    'cargo.txt',
    'cargo',
    [
      'src/lib.rs | tests::adds: assertion `left == right` failed: sum is wrong',
      'src/lib.rs | tests::panics: at the disco',
    ],
  ],
  ['cargo-build.txt', 'cargo', ['src/lib.rs | error[E0308]: mismatched types: mismatched types']],
  ['tsc.txt', 'tsc', TYPES],
  ['tsc-pretty.txt', 'tsc', TYPES],
  ['biome.txt', 'biome', ['bad.ts | format: Formatter would have printed the following content:']],
  [
    'eslint.txt',
    'eslint',
    [
      "src/a.js | no-unused-vars: 'x' is assigned a value but never used",
      'src/a.js | Parsing error: Unexpected token: Parsing error: Unexpected token',
      "src/b.js | no-undef: 'y' is not defined",
    ],
  ],
]

test.for(printed)(
  '%s: every failure is found by its name, and nothing else [loop-check-names]',
  ([file, format, expected]) => {
    const found = failuresIn(fixture(file), '/project')
    expect(found?.format).toBe(format)
    expect(found?.failures.map(told)).toEqual(expected)
  },
)

test('what is not a report is none, and a green one has no failures [loop-check-names]', () => {
  expect(failuresIn('', '')).toBe(null)
  expect(failuresIn('Build failed.\nError: something went wrong\n', '')).toBe(null)
  expect(failuresIn('TAP version 13\nok 1 - a\n1..1\n', '')).toEqual({ format: 'tap', failures: [] })
  expect(failuresIn('=== 3 passed in 0.12s ===\n', '')).toEqual({ format: 'pytest', failures: [] })
})

test('a green report before a red one does not hide it [loop-check-names]', () => {
  const found = failuresIn(`TAP version 13\nok 1 - a\n1..1\n\n${fixture('tsc.txt')}`, '')
  expect(found).toMatchObject({ format: 'tsc', failures: { length: 3 } })
})

test('where a report tells the line of a failure, it is known [ward-report-new-first]', () => {
  const lines: [string, string[]][] = [
    ['node-tap.txt', ['js/a.test.mjs:4', 'js/a.test.mjs:5']],
    ['node-spec.txt', ['js/a.test.mjs:4', 'js/a.test.mjs:5']],
    ['vitest.txt', ['b.test.ts:1', 'a.test.ts:3', 'a.test.ts:4']],
    ['jest.txt', ['src/sum.test.js:6', 'src/sum.test.js:10', 'src/broken.test.js']],
    ['pytest-q.txt', ['test_a.py:4', 'test_a.py:7', 'test_a.py:10', 'test_a.py:12']],
    ['cargo.txt', ['src/lib.rs:6', 'src/lib.rs:8']],
    ['tsc.txt', ['bad.ts:1', 'bad.ts:2', 'bad.ts:3']],
    ['tsc-pretty.txt', ['bad.ts:1', 'bad.ts:2', 'bad.ts:3']],
    ['eslint.txt', ['src/a.js:1', 'src/a.js:14', 'src/b.js:3']],
  ]
  const found = lines.map(([file]) => [
    file,
    failuresIn(fixture(file), '/project')!.failures.map(({ file, line }) => (line ? `${file}:${line}` : file)),
  ])
  expect(found).toEqual(lines)
})

test('names stay the same when lines, times and the directory differ [loop-check-names]', () => {
  const names = (text: string, root: string) =>
    failuresIn(text, root)?.failures.map(({ name, file }) => `${file} ${name}`)
  for (const [file] of printed) {
    const text = fixture(file)
    const moved = text
      .replaceAll('/project', '/elsewhere/w 2')
      .replace(/\(\d+\.\d+( ?m?s)\)/g, '(77.5$1)')
      .replace(/time="[\d.]+"/g, 'time="9.9"')
      .replace(/(\.(?:ts|mjs|js|rs|py|go)):\d+:\d+/g, '$1:901:77')
      .replace(/\.ts\(\d+,\d+\)/g, '.ts(901,77)')
    expect(names(moved, '/elsewhere/w 2'), file).toEqual(names(text, '/project'))
  }
})

describe('the real runners of this machine [loop-check-names]', () => {
  test.for([
    ['tap', 'tap'],
    ['junit', 'junit'],
    ['spec', 'node-test'],
  ] as const)('node --test with its %s reporter', async ([reporter, format]) => {
    using directory = mkdtempDisposableSync(join(realpathSync(tmpdir()), 'rehoboam-check-'))
    const source =
      "import test from 'node:test'\ntest('is red', () => { throw new Error('boom') })\ntest('is green', () => {})\n"
    writeFileSync(join(directory.path, 'a.test.mjs'), source)
    const output = await ran(process.execPath, ['--test', `--test-reporter=${reporter}`], directory.path)
    expect(failuresIn(output, directory.path)).toMatchObject({
      format,
      failures: [{ name: 'is red', file: 'a.test.mjs' }],
    })
    expect(failuresIn(output, directory.path)?.failures).toHaveLength(1)
  })

  test('tsc', async () => {
    using directory = mkdtempDisposableSync(join(realpathSync(tmpdir()), 'rehoboam-check-'))
    writeFileSync(join(directory.path, 'a.ts'), "export const x: number = 'a'\n")
    const tsc = join(import.meta.dirname, '../../node_modules/.bin/tsc')
    const output = await ran(tsc, ['--noEmit', '--ignoreConfig', '--types', '', 'a.ts'], directory.path)
    expect(failuresIn(output, '')?.failures.map(({ name, file }) => [name.slice(0, 6), file])).toEqual([
      ['TS2322', 'a.ts'],
    ])
  })
})

describe('hostile output [loop-check-bounded]', () => {
  const heads = ['', ...printed.map(([file]) => fixture(file))]

  test('no output makes it throw, and what it finds is bounded and plain', () => {
    const scrap = fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: 'binary', maxLength: 30 }))
    const output = fc.tuple(fc.constantFrom(...heads), fc.array(scrap, { maxLength: 60 }), fc.nat(4_000))
    fc.assert(
      fc.property(output, ([head, scraps, at]) => {
        expectBounded(head.slice(0, at) + scraps.join('') + head.slice(at))
      }),
      { numRuns: 400 },
    )
  })

  test('thousands of failures are cut to 200 [loop-check-bounded]', () => {
    const many = Array.from({ length: 5_000 }, (_, n) => `not ok ${n} - ${'name '.repeat(500)}${n}`)
    const errors = Array.from({ length: 5_000 }, (_, n) => `src/${'d/'.repeat(400)}a${n}.ts(1,1): error TS1: bad`)
    expect(expectBounded(`TAP version 13\n${many.join('\n')}`)).toBeLessThanOrEqual(200)
    expect(expectBounded(errors.map(line => line.replace(/(?:d\/)+/, '')).join('\n'))).toBe(200)
  })

  // One that goes back and forth on two megabytes would meet the deadline of the test, on any machine.
  test.for(hostile)('a megabyte of %j behind the beginning of any format is read to its end', scrap => {
    const much = scrap.repeat(Math.ceil(1_000_000 / scrap.length))
    const begin =
      'TAP version 13\n RUN  v5\nTest Suites: 1\n✖ failing tests:\n✖ 1 problem (\nrunning 1 test\n= FAILURES =\nFAIL\tx\n'
    expectBounded(`${begin}<testsuite>${much}`)
    expectBounded(`${begin}${much}`)
  })
})

function expectBounded(output: string): number {
  const failures = failuresIn(output, '')?.failures ?? []
  expect(failures.length).toBeLessThanOrEqual(200)
  for (const { name, file = '', message = '' } of failures) {
    expect(Math.max(name.length, file.length)).toBeLessThanOrEqual(300)
    expect(message.length).toBeLessThanOrEqual(500)
    expect(`${name}${file}${message}`).not.toMatch(/[\p{Cc}--\t]/v)
  }
  return failures.length
}

function told({ name, file, message }: { name: string; file?: string; message?: string }): string {
  return `${file ? `${file} | ` : ''}${name}${message ? `: ${message}` : ''}`
}

/** What a program that fails has printed. */
function ran(program: string, args: string[], cwd: string): Promise<string> {
  const env = { PATH: process.env.PATH, NO_COLOR: '1', CI: '1' }
  return new Promise(resolve => {
    execFile(program, args, { cwd, env }, (_, stdout, stderr) => resolve(stdout + stderr))
  })
}
