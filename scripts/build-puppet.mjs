// Builds the puppet, the tests' stand-in for the client, as one file. It is no part of dist/, which is published.
// Plain JavaScript that also runs on Node 20, as scripts/build.mjs.
import { chmodSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const puppet = join(root, 'node_modules/.cache/puppet/puppet.cjs')
const unfinished = `${puppet}.${process.pid}`

await build({
  entryPoints: [join(root, 'test/puppet/main.ts')],
  outfile: unfinished,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  logLevel: 'warning',
  legalComments: 'none',
  banner: { js: '#!/usr/bin/env node' },
})
chmodSync(unfinished, 0o755)
// Another test run in this checkout may be starting the puppet, and must never read half of it.
renameSync(unfinished, puppet)
