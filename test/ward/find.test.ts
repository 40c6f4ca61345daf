import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findWard, hashOfCommands } from '../../src/daemon/ward/find-ward.ts'

function project(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'rehoboam-ward-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  return root
}

const scripts = (given: Record<string, unknown>, more: Record<string, unknown> = {}) =>
  JSON.stringify({ ...more, scripts: given })

const all = scripts({ test: 'vitest run', lint: 'biome check', typecheck: 'tsc', build: 'tsc -b' })
const placeholder = scripts({ test: 'echo "Error: no test specified" && exit 1' })

test.each<[string, Record<string, string>, string[]]>([
  ['scripts and npm’s lock file', { 'package.json': all, 'package-lock.json': '{}' }, npm('lint', 'typecheck', 'test')],
  ['scripts and no lock file', { 'package.json': scripts({ test: 'node t.js' }) }, npm('test')],
  ['pnpm’s', { 'package.json': scripts({ test: 'x' }), 'pnpm-lock.yaml': '' }, ['pnpm run test']],
  ['yarn’s', { 'package.json': scripts({ test: 'x' }), 'yarn.lock': '' }, ['yarn run test']],
  ['bun’s', { 'package.json': scripts({ test: 'x' }), 'bun.lockb': '' }, ['bun run test']],
  [
    'two lock files and a name',
    {
      'package.json': scripts({ test: 'x' }, { packageManager: 'npm@11.0.0' }),
      'yarn.lock': '',
      'package-lock.json': '',
    },
    ['npm run test'],
  ],
  ['only a name', { 'package.json': scripts({ test: 'x' }, { packageManager: 'yarn@4.1.0' }) }, ['yarn run test']],
  ['npm’s placeholder', { 'package.json': placeholder }, []],
  ['scripts that are no text', { 'package.json': scripts({ test: 7, lint: ['x'], typecheck: ' ' }) }, []],
  ['a torn package.json', { 'package.json': '{"scripts": {"test"' }, []],
  ['a list for a package.json', { 'package.json': '[]' }, []],
  [
    'a Makefile',
    { Makefile: '.PHONY: typecheck\nCC := cc\ntest lint: all\n\t./t\ncheck::\n\tx\ntypecheck = no\n' },
    ['make lint', 'make test', 'make check'],
  ],
  ['variables that look like targets', { Makefile: 'test := a\nlint ::= b\ncheck ?= c\n# typecheck:\n' }, []],
  ['a Makefile around cargo', { Makefile: 'test:\n\tcargo test\n', 'Cargo.toml': '[package]' }, ['make test']],
  ['cargo', { 'Cargo.toml': '[package]\nname = "a"\n' }, ['cargo test']],
  ['a cargo workspace', { 'Cargo.toml': '[workspace]\nmembers = ["a"]\n' }, ['cargo test --workspace']],
  ['go', { 'go.mod': 'module a\n' }, ['go test ./...']],
  ['pytest’s own file', { 'pytest.ini': '' }, ['python3 -m pytest']],
  ['pytest in pyproject.toml', { 'pyproject.toml': '[tool.pytest.ini_options]\n' }, ['python3 -m pytest']],
  ['tests of a Python project', { 'pyproject.toml': '[project]\n', 'tests/test_a.py': '' }, ['python3 -m pytest']],
  ['a Python project without tests', { 'pyproject.toml': '[project]\n' }, []],
  [
    'two languages',
    { 'package.json': scripts({ test: 'x' }), 'setup.py': '', 'tests/test_a.py': '' },
    ['npm run test', 'python3 -m pytest'],
  ],
  ['nothing', { 'README.md': '# test:\n' }, []],
])('of a project with %s the ward is found by its files [ward-found]', async (_, files, commands) => {
  const { commands: found } = await findWard(project(files), null)
  expect(found.map(({ command }) => command)).toEqual(commands)
})

test('a project without checks of its own gets those of the git root, run there [ward-found]', async () => {
  const root = project({ 'package.json': scripts({ test: 'true' }), 'packages/a/README.md': '' })
  const { commands } = await findWard(join(root, 'packages/a'), root)
  expect(commands).toEqual([{ command: 'cd ../.. && npm run test', from: 'package.json at the git root' }])
  execFileSync('/bin/sh', ['-c', commands[0]!.command], { cwd: join(root, 'packages/a'), stdio: 'ignore' })
})

test('a workspace’s package has its own checks and the root’s package manager [ward-found]', async () => {
  const root = project({
    'pnpm-lock.yaml': '',
    'package.json': scripts({ test: 'x', lint: 'x' }),
    'packages/a/package.json': scripts({ test: 'y' }),
  })
  const { commands } = await findWard(join(root, 'packages/a'), root)
  expect(commands).toEqual([{ command: 'pnpm run test', from: 'package.json' }])
})

test('the hash is of the commands alone: equal for equal ones, another for any change [ward-commands-hash]', async () => {
  const one = await findWard(project({ 'package.json': all }), null)
  const other = await findWard(project({ 'package.json': all, 'README.md': 'x' }), null)
  expect(one.hash).toBe(other.hash)
  expect(one.hash).toMatch(/^[0-9a-f]{64}$/)
  const changed = [...one.commands].reverse()
  expect(hashOfCommands(changed)).not.toBe(one.hash)
  expect(hashOfCommands([{ command: 'ab' }])).not.toBe(hashOfCommands([{ command: 'a' }, { command: 'b' }]))
})

test('names and texts of hostile files never become a part of a command [ward-hostile-files]', async () => {
  const root = project({
    'package.json': scripts({ 'test; touch owned': 'x', test: 'x; $(touch owned)', __proto__: 'x' }),
    Makefile: 'test;touch owned: x\n$(shell touch owned) lint: x\n',
    '$(touch owned)': '',
    'go.mod\n; touch owned': '',
  })
  const { commands } = await findWard(root, null)
  expect(commands.map(({ command }) => command)).toEqual(['npm run test', 'make lint'])
})

test('a pipe, a directory, a dangling link and a huge file in place of a definition are nothing [ward-hostile-files]', async () => {
  const root = project({ 'Cargo.toml/x': '', 'pyproject.toml': `${' '.repeat(2_000_000)}\n[tool.pytest]` })
  execFileSync('mkfifo', [join(root, 'package.json')])
  symlinkSync('/nowhere/at/all', join(root, 'Makefile'))
  expect((await findWard(root, null)).commands).toEqual([])
  expect((await findWard(join(root, 'not-there'), null)).commands).toEqual([])
})

function npm(...names: string[]): string[] {
  return names.map(name => `npm run ${name}`)
}
