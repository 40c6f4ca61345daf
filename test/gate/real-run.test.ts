import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { isAlive } from '../../src/adapters/process-table.ts'
import { tinyProject } from './tiny-project.ts'

const good = `import { expect, test } from 'vitest'

test('one and one is two [tiny-sum]', () => {
  expect(1 + 1).toBe(2)
})
`
const other = good.replace('tiny-sum', 'tiny-rest')

test('a project whose tests and promises agree is green, also in parts [gate-real-run] [gate-partial-run]', async () => {
  using project = tinyProject(['tiny-sum', 'tiny-rest'], { 'test/sum.test.ts': good, 'test/rest.test.ts': other })
  const all = await project.vitest()
  const byFile = await project.vitest('test/sum')
  const byName = await project.vitest('-t', 'tiny-rest')
  for (const { code, output } of [all, byFile, byName]) {
    expect(output).not.toContain('do not agree')
    expect(code).toBe(0)
  }
})

test('vitest ends non-zero and lists everything that is wrong with a run that passed [gate-real-run]', async () => {
  using project = tinyProject(['tiny-sum', 'tiny-gone', 'tiny-gone'], {
    'test/sum.test.ts': good,
    'test/wrong.test.ts': `import { expect, test } from 'vitest'
test('cites nothing', () => {})
test('cites what nobody promised [tiny-odd]', () => {})
test.skip('is skipped [tiny-sum]', () => {})
test.todo('is to do [tiny-sum]')
test.fails('is known to be broken [tiny-sum]', () => expect(1).toBe(2))
`,
  })
  const { code, output } = await project.vitest()
  expect(code).toBe(1)
  for (const line of [
    'tiny-gone: It holds. (tiny)',
    'test/wrong.test.ts > cites nothing',
    'tiny-odd: test/wrong.test.ts > cites what nobody promised [tiny-odd]',
    'test/wrong.test.ts > is skipped [tiny-sum]',
    'test/wrong.test.ts > is to do [tiny-sum]',
    'test/wrong.test.ts > is known to be broken [tiny-sum]',
  ]) {
    expect(output).toContain(`    - ${line}\n`)
  }
})

test('a test that is singled out makes the run red [gate-nothing-skipped]', async () => {
  using project = tinyProject(['tiny-sum'], { 'test/sum.test.ts': good.replace('test(', 'test.only(') })
  expect((await project.vitest()).code).toBe(1)
})

test('npm test ends with the counts and with zero when all steps went well [test-counts] [test-steps]', async () => {
  using project = tinyProject(['tiny-sum'], { 'test/sum.test.ts': good })
  const { code, output } = await project.test().ended
  expect(output).toMatch(/^needs +ok.*\nbuild +ok.*\ntypes +ok.*\nlint +ok.*\ntests\n/)
  expect(output).toMatch(/\ntests +ok.*\n1 passed, 0 failed\n$/)
  expect(code).toBe(0)
})

test('npm test counts what broke, names the steps and what to type, and ends non-zero [test-counts] [test-steps]', async () => {
  using project = tinyProject(['tiny-sum'], {
    'test/sum.test.ts': `${good}\ntest('no sum [tiny-sum]', () => expect(2).toBe(3) )\n`,
    'test/broken.test.ts': `import './not-there.ts'\n`,
  })
  const { code, output } = await project.test().ended
  expect(output).toMatch(/types failed\. Type: npm run types\n/)
  expect(output).toMatch(/lint failed\. Type: npm run lint/)
  expect(output).toMatch(/tests failed\. Type: .*\n1 passed, 2 failed\n$/)
  expect(code).toBe(1)
})

test('npm test with no test at all is red [test-counts]', async () => {
  using project = tinyProject([], {})
  const { code, output } = await project.test('test/none').ended
  expect(output).toMatch(/\n0 passed, 0 failed\n$/)
  expect(code).toBe(1)
})

test('Ctrl-C ends the runner and its workers, with 130 [test-interrupted]', async () => {
  using project = tinyProject(['tiny-sum'], {
    'test/slow.test.ts': `import { writeFileSync } from 'node:fs'
import { test } from 'vitest'
test('waits for ever [tiny-sum]', async () => {
  writeFileSync('worker.pid', String(process.pid))
  await new Promise(() => setInterval(() => {}, 1000))
})
`,
  })
  const run = project.test('test/slow')
  const pidFile = join(project.folder, 'worker.pid')
  await vi.waitUntil(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8') !== '', { timeout: 180_000 })
  const worker = Number(readFileSync(pidFile, 'utf8'))
  run.interrupt()
  expect((await run.ended).code).toBe(130)
  await vi.waitUntil(() => !isAlive(worker), { timeout: 180_000 })
})
