import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { isAlive } from '../../src/adapters/process-table.ts'
import { LATE, TINY, tinyProject } from './tiny-project.ts'

test('vitest ends non-zero and lists everything that is wrong with a run that passed [gate-real-run]', async () => {
  using project = tinyProject(['tiny-sum', 'tiny-gone', 'tiny-gone'], {
    'test/sum.test.ts': TINY,
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

test('npm test is green and prints the error and the list entry when a failed test passes alone [test-retried]', async () => {
  using project = tinyProject(['tiny-sum'], { 'test/late.test.ts': LATE, 'test/support/programs.ts': '' })
  const { code, output } = await project.test('test/late').ended
  expect(output).toMatch(
    /\nretried alone: test\/late.test.ts > of \(two\) > is late once \[tiny-sum\]\n {2}first: +.*expected/,
  )
  expect(output).toMatch(/\n {2}second: passed\n {2}add to test\/retried.json.*\n1 passed, 0 failed\n$/)
  expect(code).toBe(0)
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
