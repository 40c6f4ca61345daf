import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { buildSync } from 'esbuild'

/** A program of the tests as one file, with its compiled code kept beside it: it starts in a third of the time. */
export function bundled(entry: string) {
  const folder = mkdtempSync(join(tmpdir(), 'rehoboam-bundled-'))
  const path = join(folder, basename(entry).replace(/\.ts$/, '.mjs'))
  buildSync({
    entryPoints: [entry],
    outfile: path,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    logLevel: 'error',
    banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
  })
  const dispose = () => rmSync(folder, { recursive: true, force: true })
  return { path, cache: join(folder, 'cache'), [Symbol.dispose]: dispose }
}
