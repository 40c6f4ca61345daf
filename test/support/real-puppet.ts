import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'

/** The puppet as it is shipped, built from the source of this moment: what lies in dist/ may be older. */
export type Puppet = { program: string[]; [Symbol.asyncDispose](): Promise<void> }

export async function buildPuppet(): Promise<Puppet> {
  const folder = await mkdtemp(join(tmpdir(), 'rehoboam-puppet-'))
  const outfile = join(folder, 'puppet.cjs')
  const entry = join(import.meta.dirname, '../../src/rehearsal/puppet/main.ts')
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    logLevel: 'warning',
  })
  return {
    program: [process.execPath, outfile],
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}
