import { existsSync, mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { HOMES_LIST } from '../../scripts/lanes/report.ts'
import { endNotedHomes, tempHome } from '../support/temp-home.ts'

test('the daemon of a test that was interrupted is ended, and its directory is gone [test-interrupted]', async () => {
  using list = mkdtempDisposableSync(join(tmpdir(), 'rehoboam-homes-'))
  // Vitest would do it before the next test only, which is after the hooks of the next file.
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv(HOMES_LIST, list.path)
  await using home = await tempHome()
  await home.rehoboam(['runs'])
  expect(home.processes()).not.toEqual([])
  await endNotedHomes(list.path)
  expect([home.processes(), existsSync(home.root)]).toEqual([[], false])
})
