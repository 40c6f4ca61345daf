import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rowsOf } from '../../scripts/lanes/repeat-table.ts'
import { isAlive } from '../../src/adapters/process-table.ts'
import { until } from '../support/until.ts'
import { TINY, tinyProject } from './tiny-project.ts'

test('test:repeat runs npm test until the table has enough rows of this kind for this tree [test-repeat]', async () => {
  using project = tinyProject(['tiny-sum'], { 'test/sum.test.ts': TINY })
  const table = join(project.folder, 'test-results/repeat.md')
  const kinds = () => rowsOf(table).map(({ kind, passed, failed }) => [kind, passed, failed])
  expect((await project.repeat('1').ended).code).toBe(0)
  expect((await project.repeat('2', '--busy').ended).code).toBe(0)
  const continued = await project.repeat('2').ended
  expect(continued.output).toContain('1 of 2 runs are in')
  expect(kinds()).toEqual([...['idle', 'busy', 'busy', 'idle'].map(kind => [kind, 1, 0])])
})

test('test:repeat ends with 1 when a run failed, and with 2 when its words are wrong [test-repeat]', async () => {
  using project = tinyProject(['tiny-sum'], { 'test/sum.test.ts': TINY.replace('toBe(2)', 'toBe(3)') })
  const { code, output } = await project.repeat('1').ended
  expect(output).toContain('1 failed, exit code 1 test/sum.test.ts > one and one is two [tiny-sum]')
  expect(code).toBe(1)
  for (const words of [[], ['0'], ['two'], ['1', '--lazy']]) expect((await project.repeat(...words).ended).code).toBe(2)
})

test('Ctrl-C ends test:repeat, its run and its busy loops, and adds no row [test-repeat]', async () => {
  using project = tinyProject(['tiny-sum'], {
    'test/slow.test.ts': `import { writeFileSync } from 'node:fs'
import { test } from 'vitest'

test('waits for ever [tiny-sum]', async () => {
  writeFileSync('worker.pid', String(process.pid))
  await new Promise(() => setInterval(() => {}, 1000))
})
`,
  })
  const pidFile = join(project.folder, 'worker.pid')
  const run = project.repeat('1', '--busy')
  await until(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8') !== '', 'the test to run')
  run.interrupt()
  expect((await run.ended).code).toBe(130)
  await until(() => !isAlive(Number(readFileSync(pidFile, 'utf8'))), 'the worker to be gone')
  expect(rowsOf(join(project.folder, 'test-results/repeat.md'))).toEqual([])
})
