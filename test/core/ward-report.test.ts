import { expect, test } from 'vitest'
import type { CommandResult } from '../../src/contract/ward.ts'
import type { Failure } from '../../src/core/ward/check-output.ts'
import { namedChecks } from '../../src/core/ward/named-checks.ts'
import { wardReport } from '../../src/core/ward/ward-report.ts'

test('a report begins with what is newly broken, each with its place, then says what was red before [ward-report-new-first]', () => {
  const read = [
    check(
      'npm run types',
      'red',
      [{ file: 'b.ts', line: 7, name: 'TS1: no', message: 'no' }],
      'b.ts(7,1): error TS1: no',
    ),
    check('npm test', 'red', [
      { file: 'a.test.ts', line: 3, name: 'old one', message: 'expected 1 to be 2' },
      { file: 'a.test.ts', name: 'adds', message: 'expected 2 to be 3' },
    ]), // biome-ignore format: one check
    check('npm run lint', 'green', []),
    check('make slow', 'hung', [], 'still waiting', 'not at its end after 60 s'),
  ]
  const isOld = (command: string, { name }: Failure) => command === 'npm test' && name === 'old one'
  expect(wardReport(read, isOld)).toBe(`What fails since this began (2):
- b.ts:7: TS1: no  ($ npm run types)
- a.test.ts: adds: expected 2 to be 3  ($ npm test)

What failed before as well, and is not the work at hand (1):
- a.test.ts:3: old one: expected 1 to be 2  ($ npm test)

$ npm run types  (red: exit code 1)

b.ts(7,1): error TS1: no

$ npm test  (red: exit code 1)

$ make slow  (hung: not at its end after 60 s)

still waiting`)
})

test('a report is bounded, and what is not named is counted [ward-report-new-first]', () => {
  const failures = Array.from({ length: 200 }, (_, n) => ({ name: `test ${n}`, message: 'x'.repeat(500) }))
  const report = wardReport([check('npm test', 'red', failures, 'y'.repeat(1_000_000))], null)
  expect(report).toMatch(/^What fails \(200\):\n- test 0: x+\n/)
  expect(report).toContain('\n- and 150 more\n')
  expect(report.length).toBeLessThan(40_000)
})

test('the checks that are not green are named in one line, the first five and how many more; why one could not be run is whole [ward-results]', () => {
  const failures = Array.from({ length: 8 }, (_, n) => ({ file: 'a.test.ts', name: `test\n\u001b[31m${n}` }))
  expect(namedChecks([check('npm run lint', 'red', []), check('npm test', 'red', failures)])).toBe(
    'npm run lint; a.test.ts test 0; a.test.ts test 1; a.test.ts test 2; a.test.ts test 3 and 4 more',
  )
  const twice = [failures[0]!, failures[0]!]
  expect(namedChecks([check('npm test', 'red', twice), check('true', 'green', [])])).toBe('a.test.ts test 0')
  const slow = check('make slow', 'hung', [], '', 'not at its end after 60 s')
  const missing = check(`x${'y'.repeat(9_000)}`, 'could-not-run', [], '', 'pytest found no tests')
  expect(namedChecks([slow, missing])).toMatch(
    /^make slow \(not at its end after 60 s\); xy{100,200}… \(pytest found no tests\)$/,
  )
  expect(namedChecks([check('true', 'green', [])])).toBe(null)
})

function check(
  command: string,
  how: CommandResult['how'],
  failures: Failure[],
  output = '',
  why: string | null = null,
) {
  const result = { command, how, code: how === 'red' ? 1 : null, why, durationMs: 1, flaky: false, output: '' }
  return { result, output, failures }
}
