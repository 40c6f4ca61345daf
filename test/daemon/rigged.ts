import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { beforeAll } from 'vitest'
import type { RunEvent } from '../../src/contract/event.ts'
import { PROGRAM, type TempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { untilServes } from './processes.ts'

const root = join(import.meta.dirname, '../..')

/**
 * Builds test/daemon/rigged-daemon.ts for the tests of a file: Node would run the sources as they are, in three times the
 * time. What it returns starts that daemon for a home, with no supervisor, and waits until it serves.
 */
export function rigging() {
  // The same path for every file of tests: Node then finds what it compiled for the one before.
  const folder = join(root, 'node_modules/.cache/rehoboam-rigged')
  const program = join(folder, 'rigged-daemon.mjs')
  beforeAll(async () => {
    const banner = "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);"
    const entryPoints = [join(import.meta.dirname, 'rigged-daemon.ts')]
    const made = `${program}.${process.pid}`
    await build({
      entryPoints,
      outfile: made,
      bundle: true,
      platform: 'node',
      format: 'esm',
      banner: { js: banner },
      logLevel: 'warning',
    })
    renameSync(made, program)
  })

  const start = async (home: TempHome, rig: string, argument: string, env: Record<string, string> = {}) => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const child = spawn(process.execPath, [program, version, PROGRAM, rig, argument], {
      // Killed or not, it has kept what Node compiled: the next one starts in half the time.
      env: { ...home.env, ...env, NODE_COMPILE_CACHE: join(folder, 'compiled') },
      stdio: 'inherit',
    })
    const ended = once(child, 'exit').then(([code, signal]) => (signal ?? code) as string | number)
    await untilServes(home)
    return { pid: child.pid!, ended }
  }
  /**
   * Starts one whose clock runs as all clocks do, but hurries when the function that this returns is called, until an event
   * of this type is written down.
   */
  const hurrying = async (home: TempHome, type: RunEvent['type']) => {
    await start(home, 'hurry-to', type)
    return async () => {
      const file = join(home.home, 'hurry')
      writeFileSync(file, '')
      await until(() => !existsSync(file), `time to pass until ${type}`)
    }
  }
  return { start, hurrying }
}
