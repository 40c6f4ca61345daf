import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll } from 'vitest'
import type { TempHome } from '../support/temp-home.ts'
import { untilServes } from './processes.ts'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'rehoboam-rigged-'))
const program = join(folder, 'rigged-daemon.mjs')

// Bundled once for a file of tests: Node would run the sources as they are, in three times the time.
beforeAll(async () => {
  const banner = "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);"
  const entryPoints = [join(import.meta.dirname, 'rigged-daemon.ts')]
  await build({
    entryPoints,
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: banner },
    logLevel: 'warning',
  })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Starts test/daemon/rigged-daemon.ts for a home, with no supervisor, and waits until it serves. */
export async function riggedDaemon(home: TempHome, rig: string, argument: string, env: Record<string, string> = {}) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const child = spawn(process.execPath, [program, version, rig, argument], {
    // Killed or not, it has kept what Node compiled: the next one starts in half the time.
    env: { ...home.env, ...env, NODE_COMPILE_CACHE: join(folder, 'compiled') },
    stdio: 'inherit',
  })
  const ended = once(child, 'exit').then(([code, signal]) => (signal ?? code) as string | number)
  await untilServes(home)
  return { pid: child.pid!, ended }
}
