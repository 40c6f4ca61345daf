/** One small sin for each way in which a rule can be broken: a rule that finds none of its own is no rule. */
export interface BadSource {
  rule: string
  path: string
  text: string
  says: string
}

const core = (text: string, says: string, rule = 'core-pure-names'): BadSource => ({
  rule,
  path: 'src/core/loop/iteration.ts',
  text,
  says,
})

const syntax = (text: string, says: string): BadSource => core(text, says, 'core-pure-syntax')

const imports = (path: string, text: string, says: string, rule = 'direction'): BadSource => ({
  rule,
  path,
  text,
  says,
})

export const badSources: BadSource[] = [
  imports('src/contract/a.ts', `import { x } from '../core/x.ts'`, 'contract may not import src/core/x.ts'),
  imports('src/core/a.ts', `import type { X } from '../ports.ts'`, 'core may not import src/ports.ts'),
  imports('src/core/a.ts', `import { type X } from '../adapters/x.ts'`, 'core may not import src/adapters/x.ts'),
  imports('src/view/a.ts', `export * from '../core/x.ts'`, 'view may not import src/core/x.ts'),
  imports('src/client/a.ts', `export type { X } from '../daemon/x.ts'`, 'client may not import src/daemon/x.ts'),
  imports('src/ports.ts', `import type { X } from './core/x.ts'`, 'ports may not import src/core/x.ts'),
  imports('src/adapters/a.ts', `import { x } from '../core/effect.ts'`, 'adapters may not import src/core/effect.ts'),
  imports('src/adapters/a.ts', `const x = await import('../daemon/x.ts')`, 'adapters may not load src/daemon/x.ts'),
  imports('src/daemon/a.ts', `import { x } from '../client/x.ts'`, 'daemon may not import src/client/x.ts'),
  imports('src/daemon/a.ts', `import { x } from '../rehearsal/x.ts'`, 'daemon may not import src/rehearsal/x.ts'),
  imports('src/tui/a.tsx', `import { x } from '../core/x.ts'`, 'tui may not import src/core/x.ts'),
  imports('src/tui/a.tsx', `await import('../daemon/x.ts')`, 'tui may not load src/daemon/x.ts'),
  imports('src/web/a.tsx', `type X = import('../daemon/x.ts').X`, 'web may not import src/daemon/x.ts'),
  imports('src/cli/a.ts', `import { x } from '../daemon/x.ts'`, 'cli may not import src/daemon/x.ts'),
  imports('src/cli/a.ts', `import type { X } from '../tui/x.ts'`, 'cli may not import src/tui/x.ts'),
  imports('src/cli/a.ts', `import x = require('../rehearsal/x.ts')`, 'cli may not import src/rehearsal/x.ts'),
  imports('src/cli/a.ts', `require('../daemon/x.ts')`, 'cli may not import src/daemon/x.ts'),
  imports('src/cli/a.ts', `await import('../daemon/deep/x.ts')`, 'cli may not load src/daemon/deep/x.ts'),
  imports('src/cli/a.ts', `await import('../adapters/x.ts')`, 'cli may not load src/adapters/x.ts'),
  imports('src/rehearsal/a.ts', `import { x } from '../core/x.ts'`, 'rehearsal may not import src/core/x.ts'),
  imports('src/daemon/a.ts', `import { x } from '../../test/x.ts'`, 'daemon may not import test/x.ts'),

  imports(
    'src/core/a.ts',
    `import { x } from './loop/x.ts'`,
    'core/. may not import src/core/loop/x',
    'folder-direction',
  ),
  imports('src/core/pool/a.ts', `import type { X } from '../quest/x.ts'`, 'may not import', 'folder-direction'),
  imports('src/core/ward/a.ts', `import { x } from '../loop/x.ts'`, 'may not import', 'folder-direction'),
  imports('src/daemon/sessions/a.ts', `import { x } from '../loops/x.ts'`, 'may not import', 'folder-direction'),
  imports(
    'src/daemon/http/a.ts',
    `import { x } from '../main.ts'`,
    'may not import src/daemon/main.ts',
    'folder-direction',
  ),
  imports('src/daemon/shed/a.ts', '', 'stands in no folder', 'folder-known'),

  imports('src/stray.ts', '', 'stands in no room', 'room-known'),
  imports('src/shared/a.ts', '', 'stands in no room', 'room-known'),

  imports('src/cli/a.ts', `import { x } from './gone.ts'`, './gone.ts, which does not exist', 'imports-exist'),
  imports('test/a.test.ts', `import { x } from '../src/contract/errors'`, 'does not exist', 'imports-exist'),
  imports('src/cli/a.ts', 'await import(entry)', 'computed name', 'imports-exist'),

  imports('src/contract/a.ts', `import { join } from 'node:path'`, 'imports node:path', 'browser-safe'),
  imports('src/core/a.ts', `import { join } from 'path'`, 'imports path', 'browser-safe'),
  imports('src/view/a.ts', `import type { Stats } from 'node:fs'`, 'imports node:fs', 'browser-safe'),
  imports('src/web/a.tsx', `await import('node:fs')`, 'imports node:fs', 'browser-safe'),
  imports('src/contract/a.ts', 'const home = process.env.HOME', 'no process', 'browser-safe-names'),
  imports('src/view/a.ts', `Buffer.from('x')`, 'no Buffer', 'browser-safe-names'),

  imports('src/core/a.ts', `import * as z from 'zod'`, 'zod, which is not on the list of core', 'packages'),
  imports('src/cli/a.ts', `import pad from 'left-pad/x'`, 'left-pad, which is not on the list', 'packages'),
  imports('src/daemon/a.ts', `import type { X } from '@scope/x/y'`, '@scope/x, which is not on', 'packages'),
  imports('src/tui/a.tsx', `import { Box } from 'ink'`, 'ink, which package.json does not name', 'packages'),
  imports('test/a.test.ts', `import pad from 'left-pad'`, 'left-pad, which is not on the list', 'packages'),

  core('const now = Date.now()', 'no Date'),
  core('const at = new Date(0)', 'no Date'),
  core('interface State { at: Date }', 'no Date'),
  core('const { crypto } = globalThis', 'no crypto'),
  core('const id = globalThis.crypto.randomUUID()', 'no globalThis'),
  core('function f(): Promise<void> {}', 'no Promise'),
  core('setTimeout(() => {}, 5)', 'no setTimeout'),
  core('const cwd = process.cwd()', 'no process'),
  core('const f = { fetch }', 'no fetch'),
  core(`console.log('x')`, 'no console'),
  syntax('const n = Math.random()', 'no Math.random'),
  syntax(`const n = Math['random']()`, 'no Math.random'),
  syntax('export async function f() {}', 'no async'),
  syntax('const f = async () => {}', 'no async'),
  syntax('const f = { async run() {} }', 'no async'),
  syntax('const x = await y', 'no await'),
  syntax('for await (const x of y) {}', 'no await'),
  syntax(`const f = () => import('./x.ts')`, 'no import()'),
  syntax('let counter = 0', 'no let at the top'),
  syntax('export let counter = 0', 'no let at the top'),

  { rule: 'file-size', path: 'src/core/long.ts', text: '\n'.repeat(401), says: '401 lines' },
  { rule: 'file-size', path: 'test/long.test.ts', text: `${'\n'.repeat(400)}x`, says: '401 lines' },
  { rule: 'file-name', path: 'src/core/utils.ts', text: '', says: `'utils'` },
  { rule: 'file-name', path: 'src/adapters/helpers/git.ts', text: '', says: `'helpers'` },
  { rule: 'file-name', path: 'src/daemon/run-manager.ts', text: '', says: `'run-manager'` },
  { rule: 'file-name', path: 'src/contract/types.d.ts', text: '', says: `'types'` },
  { rule: 'file-name', path: 'src/tui/AgentBoard.tsx', text: '', says: 'kebab-case' },
  { rule: 'file-name-once', path: 'src/view/errors.ts', text: '', says: 'the same name as src/contract/errors.ts' },
  { rule: 'papers-true', path: 'README.md', text: 'see\n`src/core/gone.ts`', says: ':2: names src/core/gone.ts' },
  { rule: 'machine-text', path: 'docs/a.md', text: `see\n/${'work'}/main`, says: 'docs/a.md:2: holds a path' },
  { rule: 'machine-text', path: 'bench/a.json', text: `"/${'root'}/.npmrc"`, says: 'a path of one machine' },
  { rule: 'machine-text', path: 'package-lock.json', text: `https://${'registry'}.npmjs.org/x`, says: 'host name' },
]

/** What stands close to a sin and is none: a rule that cries wolf is switched off by the third person. */
export const goodSources: { what: string; path: string; text: string }[] = [
  { what: 'zod in contract', path: 'src/contract/a.ts', text: `import * as z from 'zod'\nimport './errors.ts'` },
  { what: 'contract in core', path: 'src/core/a.ts', text: `import type { X } from '../contract/errors.ts'` },
  { what: 'a floor below', path: 'src/daemon/http/a.ts', text: `import type { X } from '../loops/loops.ts'` },
  { what: 'its own room', path: 'src/core/loop/a.ts', text: `import { start } from '../effect.ts'` },
  { what: 'a field called process', path: 'src/core/a.ts', text: 'const f = (e: { process: 1 }) => e.process' },
  { what: 'a key called fetch', path: 'src/core/a.ts', text: 'const o = { fetch: 1, Date: 2 }' },
  { what: 'words in comments and strings', path: 'src/core/a.ts', text: `// await\nconst s = 'import("node:fs")'` },
  { what: 'a variable in a function', path: 'src/core/a.ts', text: 'function f() {\n  let n = Math.max(1)\n  n++\n}' },
  { what: 'core/effect in ports', path: 'src/ports.ts', text: `import type { Effect } from './core/effect.ts'` },
  { what: 'node: in client', path: 'src/client/a.ts', text: `import { request } from 'node:http'` },
  { what: 'a package in an adapter', path: 'src/adapters/a.ts', text: `import { execa } from 'execa'` },
  { what: 'ports in an adapter', path: 'src/adapters/git/a.ts', text: `import type { X } from '../../ports.ts'` },
  { what: 'an entry that cli loads', path: 'src/cli/a.ts', text: `const { run } = await import('../daemon/main.ts')` },
  { what: 'a built file in the launcher', path: 'src/cli/launcher.ts', text: `import('./main.mjs')` },
  {
    what: 'any room in a test',
    path: 'test/a.test.ts',
    text: `import { test } from 'vitest'\nimport '../src/ports.ts'`,
  },
  { what: 'exactly 400 lines', path: 'src/daemon/long.ts', text: '\n'.repeat(400) },
  { what: 'an empty word that is not the last', path: 'src/web/service-worker.ts', text: '' },
  { what: 'a fixture program', path: 'test/fixtures/Odd_Name.ts', text: `import x from 'anything'` },
  { what: 'files and folders that exist', path: 'README.md', text: '`src/core/`, `src/ports.ts`, `npm test`' },
  { what: 'relative paths and addresses', path: 'docs/a.md', text: 'src/work/a, ./root/a, https://example.org/work/x' },
]
