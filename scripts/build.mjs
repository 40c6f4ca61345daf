// Builds dist/. Plain JavaScript that also runs on Node 20: it is the first thing `npm ci` starts.
import { chmodSync, cpSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const version = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version

// Another output folder and version can be asked for: the tests build a "newer" program this way.
const [outdir = join(root, 'dist'), asVersion = version] = process.argv.slice(2)
rmSync(outdir, { recursive: true, force: true })

const shared = {
  bundle: true,
  platform: 'node',
  logLevel: 'warning',
  legalComments: 'none',
  // React is slow, and four times as large, where it thinks that somebody develops it.
  define: { REHOBOAM_VERSION: JSON.stringify(asVersion), 'process.env.NODE_ENV': '"production"' },
}

// An import of node:http reads all its names, and one of them loads a whole WebSocket client: a fifth of a command's start.
const http = {
  name: 'http',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?http$/ }, () => ({ path: 'http', namespace: 'builtin' }))
    onLoad({ filter: /^/, namespace: 'builtin' }, () => ({
      contents: `module.exports = process.getBuiltinModule('node:http')`,
    }))
  },
}

await build({
  ...shared,
  plugins: [http],
  entryPoints: {
    main: join(root, 'src/cli/program.ts'),
    // A thread of the daemon's, which starts a file.
    'history-thread': join(root, 'src/adapters/history/thread.ts'),
  },
  outdir,
  outExtension: { '.js': '.mjs' },
  format: 'esm',
  splitting: true,
  target: 'node24',
  // Ink loads it only for somebody who looks into it with React's own tools, and it is not installed.
  external: ['react-devtools-core'],
  // Bundled CommonJS dependencies still call require() for node: modules.
  banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
})

// What is started directly: one CommonJS file, because that starts fastest.
const launcher = join(outdir, 'rehoboam.cjs')
await build({
  ...shared,
  entryPoints: [join(root, 'src/cli/launcher.ts')],
  outfile: launcher,
  format: 'cjs',
  // Old Nodes must get as far as the sentence that names Node 24.
  target: 'node12',
  banner: { js: '#!/usr/bin/env node' },
})
chmodSync(launcher, 0o755)

// The roles of quests are read as files, as a project's own are.
cpSync(join(root, 'src/daemon/roles/built-in'), join(outdir, 'roles'), { recursive: true })
