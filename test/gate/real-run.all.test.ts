import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readAllResult } from '../../scripts/lanes/results.ts'
import { LATE, TINY, tinyProject } from './tiny-project.ts'

const other = TINY.replace('tiny-sum', 'tiny-rest')

test('a project whose tests and promises agree is green, also in parts [gate-real-run] [gate-partial-run]', async () => {
  using project = tinyProject(['tiny-sum', 'tiny-rest'], { 'test/sum.test.ts': TINY, 'test/rest.test.ts': other })
  const all = await project.vitest()
  const byFile = await project.vitest('test/sum')
  const byName = await project.vitest('-t', 'tiny-rest')
  for (const { code, output } of [all, byFile, byName]) {
    expect(output).not.toContain('do not agree')
    expect(code).toBe(0)
  }
})

test('a test that is singled out makes the run red [gate-nothing-skipped]', async () => {
  using project = tinyProject(['tiny-sum'], { 'test/sum.test.ts': TINY.replace('test(', 'test.only(') })
  expect((await project.vitest()).code).toBe(1)
})

test('npm test ends with the counts and with zero when all steps went well [test-counts]', async () => {
  using project = tinyProject(['tiny-sum'], { 'test/sum.test.ts': TINY })
  const { code, output } = await project.test().ended
  expect(output).toMatch(/^needs +ok.*\nbuild +ok.*\ntypes +ok.*\nlint +ok.*\ntests\n/)
  expect(output).toMatch(/\ntests +ok.*\nslowest files:\n.* s {2}test\/sum.test.ts\n/)
  expect(output).toMatch(/\ntest:all: green, 1 passed, 0 failed, .*\ntook \d+ s\n1 passed, 0 failed\n$/)
  expect(code).toBe(0)
})

test('npm test plays test:all too when that is due, and keeps its result [test-all-due] [test-results-kept]', async () => {
  using project = tinyProject(['tiny-sum', 'tiny-rest'], {
    'test/sum.test.ts': TINY,
    'test/rest.all.test.ts': other,
  })
  mkdirSync(join(project.folder, 'src/rehearsal'), { recursive: true })
  writeFileSync(join(project.folder, 'src/rehearsal/new.ts'), 'export const NEW = 1\n')
  const { code, output } = await project.test().ended
  expect(output).toMatch(
    /^playing everything, as npm run test:all does: files that decide about the real client have changed/,
  )
  expect(output).toMatch(/\n2 passed, 0 failed\n$/)
  expect(code).toBe(0)
  expect(readAllResult(project.folder)).toMatchObject({ passed: 2, failed: 0, green: {} })
})

test('npm test counts what broke, names the steps and what to type, and ends non-zero [test-counts]', async () => {
  using project = tinyProject(['tiny-sum'], {
    'test/sum.test.ts': `${TINY}\ntest('no sum [tiny-sum]', () => expect(2).toBe(3) )\n`,
    'test/broken.test.ts': `import './not-there.ts'\n`,
  })
  const { code, output } = await project.test().ended
  expect(output).toMatch(/types failed\. Type: npm run types\n/)
  expect(output).toMatch(/lint failed\. Type: npm run lint/)
  expect(output).toMatch(/tests failed\. Type: .*\n[\s\S]*\n1 passed, 2 failed\n$/)
  expect(code).toBe(1)
})

test('npm test with no test at all is red [test-counts]', async () => {
  using project = tinyProject([], {})
  const { code, output } = await project.test('test/none').ended
  expect(output).toMatch(/\n0 passed, 0 failed\n$/)
  expect(code).toBe(1)
})

test('npm test --no-retry runs no failed test again [test-retried]', async () => {
  using project = tinyProject(['tiny-sum'], { 'test/late.test.ts': LATE, 'test/support/programs.ts': '' })
  const { code, output } = await project.test('--no-retry', 'test/late').ended
  expect(output).toMatch(/\n0 passed, 1 failed\n$/)
  expect(code).toBe(1)
})
