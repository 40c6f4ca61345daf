import { execFileSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkout, fingerprint, write } from './checkout.ts'

/** A workspace of two packages; the dependency is packed here, so that nothing is fetched. */
function workspace() {
  const made = checkout({
    '.gitignore': 'node_modules/\n*.tgz\n',
    'package.json': JSON.stringify({
      private: true,
      workspaces: ['packages/*'],
      scripts: { test: 'node packages/app/test.cjs && shout works' },
      dependencies: { shout: 'file:shout-1.0.0.tgz' },
    }),
    'packages/lib/package.json': '{"name":"lib","version":"1.0.0","main":"lib.cjs"}',
    'packages/lib/lib.cjs': 'exports.answer = 41\n',
    'packages/app/package.json':
      '{"name":"app","version":"1.0.0","dependencies":{"lib":"1.0.0","own":"file:../../own-2.0.0.tgz"}}',
    'packages/app/test.cjs': `const { answer } = require('lib')
console.log(answer, require.resolve('lib'), require.resolve('shout'), require('own'))
`,
  })
  const pack = (name: string, files: Record<string, string>) => {
    write(join(made.root, name), files)
    execFileSync('npm', ['pack', '--silent', join(made.root, name)], { cwd: made.from, env: made.environment })
  }
  pack('shout', {
    'package.json': '{"name":"shout","version":"1.0.0","bin":"bin.cjs","main":"bin.cjs"}',
    'bin.cjs':
      '#!/usr/bin/env node\nif (require.main === module) console.log(process.argv[2].toUpperCase(), __filename)\n',
  })
  pack('own', {
    'package.json': '{"name":"own","version":"2.0.0","main":"own.cjs"}',
    'own.cjs': "module.exports = 'own'",
  })
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', '--install-strategy=nested'], {
    cwd: made.from,
    env: made.environment,
  })
  made.git('add', 'package-lock.json')
  made.git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'lock')
  return made
}

test('the first ward of a JavaScript workspace runs the worktree’s own code, and not one byte of the checkout changes [setup-node] [setup-checkout-untouched]', async () => {
  const { from, to, worktree, prepare, ward } = workspace()
  worktree()
  write(to, { 'packages/lib/lib.cjs': 'exports.answer = 42\n' })
  const before = fingerprint(from)
  const prepared = await prepare()
  expect(prepared).toMatchObject({ reused: false, notes: [], problem: null })
  const { how, output } = await ward('npm run test', prepared.more)
  expect(output).toContain(`42 ${to}/packages/lib/lib.cjs ${to}/node_modules/shout/bin.cjs own\n`)
  expect(output).toContain(`WORKS ${to}/node_modules/shout/bin.cjs`)
  expect(how).toBe('green')
  // A test that writes into its dependencies writes into its own.
  await ward('echo changed >> node_modules/shout/bin.cjs; echo changed >> node_modules/lib/lib.cjs', prepared.more)
  expect(fingerprint(from)).toEqual(before)
})

test('links into the checkout lead into the worktree, others where they led [setup-node]', async () => {
  const { root, from, to, worktree, prepare } = checkout({ 'packages/a/index.js': '', 'package.json': '{}' })
  const store = join(root, 'store/dep')
  mkdirSync(store, { recursive: true })
  mkdirSync(join(from, 'node_modules/.bin'), { recursive: true })
  mkdirSync(join(from, 'node_modules/real'))
  const link = (name: string, text: string) => symlinkSync(text, join(from, 'node_modules', name))
  link('relative', '../packages/a')
  link('absolute', join(from, 'packages/a'))
  link('store', store)
  link('store-relative', '../../store/dep')
  link('sibling', 'real')
  link('.bin/run', '../real/run.js')
  link('dangling', '../packages/not-there')
  link('loop', 'loop')
  worktree()
  await prepare()
  const text = (name: string) => readlinkSync(join(to, 'node_modules', name))
  expect(text('relative')).toBe('../packages/a')
  expect(realpathSync(join(to, 'node_modules/relative'))).toBe(realpathSync(join(to, 'packages/a')))
  expect(text('absolute')).toBe(join(to, 'packages/a'))
  expect(text('store')).toBe(store)
  expect(realpathSync(join(to, 'node_modules/store-relative'))).toBe(realpathSync(store))
  expect(text('sibling')).toBe('real')
  expect(text('.bin/run')).toBe('../real/run.js')
  expect([text('dangling'), text('loop')]).toEqual(['../packages/not-there', 'loop'])
})

test('a script that stands for a link is re-pointed, and caches stay behind [setup-node]', async () => {
  const { from, to, worktree, prepare } = checkout({ 'package.json': '{}' })
  write(from, {
    'node_modules/.bin/tool': `#!/bin/sh\nexport NODE_PATH="${from}/node_modules/.pnpm/node_modules"\n`,
    'node_modules/.cache/old': 'x',
    'node_modules/dep/.cache/kept': 'x',
  })
  // The worktree's path goes into a script, so it must be one that needs no quoting.
  const plain = to.replace(/[^\w./-]/g, '')
  worktree()
  mkdirSync(join(plain, '..'), { recursive: true })
  renameSync(to, plain)
  try {
    await prepare({ to: plain })
    expect(readFileSync(join(plain, 'node_modules/.bin/tool'), 'utf8')).toContain(`"${plain}/node_modules/.pnpm`)
    expect(existsSync(join(plain, 'node_modules/.cache'))).toBe(false)
    expect(existsSync(join(plain, 'node_modules/dep/.cache/kept'))).toBe(true)
  } finally {
    rmSync(join(plain, '..'), { recursive: true })
  }
})

test('dependencies that are a link themselves are copied, not shared, and what comes with the tree stays [setup-node]', async () => {
  const { root, from, to, worktree, prepare } = checkout({
    'package.json': '{}',
    'vendored/node_modules/dep/index.js': 'tracked',
  })
  write(root, { 'elsewhere/node_modules/dep/index.js': 'shared', 'elsewhere/node_modules/dep/bin.js': '' })
  symlinkSync('dep/bin.js', join(root, 'elsewhere/node_modules/run'))
  symlinkSync(join(root, 'elsewhere/node_modules'), join(from, 'node_modules'))
  write(from, { 'vendored/node_modules/dep/more.js': 'not under version control' })
  worktree()
  // An agent's tree may hold such a link, too: it would lead out of the worktree.
  symlinkSync(join(from, 'node_modules'), join(to, 'node_modules'))
  const before = [fingerprint(from), fingerprint(join(root, 'elsewhere'))]
  await prepare()
  expect(lstatSync(join(to, 'node_modules')).isDirectory()).toBe(true)
  expect(readFileSync(join(to, 'node_modules/dep/index.js'), 'utf8')).toBe('shared')
  expect(readlinkSync(join(to, 'node_modules/run'))).toBe('dep/bin.js')
  expect(existsSync(join(to, 'vendored/node_modules/dep/more.js'))).toBe(false)
  expect([fingerprint(from), fingerprint(join(root, 'elsewhere'))]).toEqual(before)
})

test('a setup is used again while the lock file is the same, and made anew when it is not [setup-node]', async () => {
  const { from, to, worktree, prepare } = checkout({ 'package.json': '{}', 'package-lock.json': '{}' })
  write(from, { 'node_modules/dep/index.js': '1' })
  worktree()
  const dep = () => readFileSync(join(to, 'node_modules/dep/index.js'), 'utf8')
  expect(await prepare()).toMatchObject({ reused: false })
  write(from, { 'node_modules/dep/index.js': '2' })
  expect(await prepare()).toMatchObject({ reused: true })
  expect(dep()).toBe('1')
  write(to, { 'package-lock.json': '{"a":1}' })
  expect(await prepare()).toMatchObject({ reused: false })
  expect(dep()).toBe('2')
  rmSync(join(to, 'node_modules'), { recursive: true })
  expect(await prepare()).toMatchObject({ reused: false })
  expect(dep()).toBe('2')
})

test('a setup that was cut off is made anew [setup-node]', async () => {
  const { from, to, worktree, prepare } = checkout({ 'package.json': '{}' })
  write(from, { 'node_modules/dep/index.js': '1', 'node_modules/dep/other.js': '1' })
  worktree()
  const cancel = new AbortController()
  cancel.abort()
  await expect(prepare({ signal: cancel.signal })).rejects.toThrow('abort')
  expect(await prepare()).toMatchObject({ reused: false, problem: null })
  expect(readFileSync(join(to, 'node_modules/dep/other.js'), 'utf8')).toBe('1')
})

test('a link that a new tree put in the way does not lead our removing to the user’s files [setup-hostile-tree]', async () => {
  const { from, to, worktree, prepare } = checkout({ 'packages/a/package.json': '{}', 'package-lock.json': '1' })
  write(from, { 'packages/a/node_modules/dep/index.js': 'mine', '.env': 'SECRET=1' })
  worktree()
  await prepare({ copies: ['.env'] })
  rmSync(join(to, 'packages'), { recursive: true })
  symlinkSync(join(from, 'packages'), join(to, 'packages'))
  write(to, { 'package-lock.json': '2' })
  const before = fingerprint(from)
  await prepare({ copies: ['.env'] })
  expect(fingerprint(from)).toEqual(before)
})

test('configured files are copied when they exist, and only from the checkout into the worktree [setup-copies]', async () => {
  const { root, from, to, worktree, prepare } = checkout({ 'tracked.env': 'tracked', '.gitignore': '.env\n' })
  write(from, { '.env': 'A=1', '.claude/settings.local.json': '{}', 'tracked.env': 'dirty' })
  write(root, { secret: 'outside' })
  symlinkSync('../secret', join(from, 'link.env'))
  worktree()
  symlinkSync(root, join(to, 'out'))
  write(from, { 'out/x.env': 'x' })
  const copies = [
    '.env',
    './.claude/settings.local.json',
    'missing',
    '../secret',
    '/etc/passwd',
    'link.env',
    'tracked.env',
  ]
  await prepare({ copies: [...copies, 'out/x.env', '.git/config', '.'] })
  expect(readFileSync(join(to, '.env'), 'utf8')).toBe('A=1')
  expect(readFileSync(join(to, '.claude/settings.local.json'), 'utf8')).toBe('{}')
  expect(readFileSync(join(to, 'tracked.env'), 'utf8')).toBe('tracked')
  expect(existsSync(join(to, 'link.env'))).toBe(false)
  expect(existsSync(join(root, 'x.env'))).toBe(false)
  // The user's may have changed since, and a test may have changed ours.
  writeFileSync(join(from, '.env'), 'A=2')
  expect(await prepare({ copies })).toMatchObject({ reused: true })
  expect(readFileSync(join(to, '.env'), 'utf8')).toBe('A=2')
})

test('the configured setup command runs in the project, once for a lock file, and its failure is said [setup-copies]', async () => {
  const { to, worktree, prepare } = checkout({ 'a b/x': '' })
  worktree()
  const command = 'echo "$CI" >> count'
  expect(await prepare({ project: 'a b', command })).toMatchObject({ reused: false, problem: null })
  expect(await prepare({ project: 'a b', command })).toMatchObject({ reused: true, problem: null })
  expect(readFileSync(join(to, 'a b/count'), 'utf8')).toBe('1\n')
  const failed = await prepare({ command: 'echo first; echo no such database; exit 3' })
  expect(failed.problem).toBe('the setup command failed: no such database')
  // It is tried again: what failed was not set up.
  expect(await prepare({ command: 'echo first; echo no such database; exit 3' })).toMatchObject({ reused: false })
})

test('a variable that leads into the checkout leads into the worktree [setup-node]', async () => {
  const { from, to, worktree, prepare } = checkout({ 'package.json': '{}' })
  worktree()
  const environment = { PATH: `${from}/node_modules/.bin:/usr/bin:${from}`, NODE_PATH: `${from}/lib` }
  const { more } = await prepare({ environment })
  expect(more).toEqual({ PATH: `${to}/node_modules/.bin:/usr/bin:${to}`, NODE_PATH: `${to}/lib` })
})
