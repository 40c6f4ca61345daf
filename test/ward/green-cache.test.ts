import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { CommandResult } from '../../src/contract/ward.ts'
import { toolsOf } from '../../src/core/ward/ward-tools.ts'
import { GreenCache, type GreenKey } from '../../src/daemon/ward/green-cache.ts'
import { type TreeWard, wardTree } from '../../src/daemon/ward/ward-tree.ts'
import { checkout, write } from './checkout.ts'

const key: GreenKey = { tree: 't', project: '', commandsHash: 'c', tools: { node: 'v1', npm: null }, lockHash: 'l' }
const green: CommandResult = {
  ...{ command: 'x', how: 'green', code: 0, why: null, durationMs: 1, flaky: false, output: '/o' },
}

function cacheOf(most?: number) {
  const { root } = checkout({ x: '' })
  const directory = join(root, 'cache')
  return { directory, cache: new GreenCache(directory, most) }
}

test('a green result is found again by all that it depends on, and by nothing less [ward-tree]', async () => {
  const { cache, directory } = cacheOf()
  expect(await cache.get(key)).toBeNull()
  await cache.put(key, { results: [green], cancelled: false })
  expect(await cache.get({ ...key, tools: { npm: null, node: 'v1' } })).toEqual([green])
  const others: Partial<GreenKey>[] = [
    { tree: 'u' },
    { project: 'a' },
    { commandsHash: 'd' },
    { tools: { node: 'v2', npm: null } },
    { tools: { node: 'v1', npm: 'v1' } },
    { lockHash: 'm' },
  ]
  for (const other of others) expect(await cache.get({ ...key, ...other })).toBeNull()
  const [file = ''] = readdirSync(directory)
  expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600)
})

test.each<[string, CommandResult[], boolean]>([
  ['a red one', [green, { ...green, how: 'red' }], false],
  ['one that hung', [{ ...green, how: 'hung' }], false],
  ['one that could not run', [{ ...green, how: 'could-not-run' }], false],
  ['a cancelled one', [green], true],
  ['one of nothing', [], false],
])('%s is not kept [ward-tree]', async (_, results, cancelled) => {
  const { cache } = cacheOf()
  await cache.put(key, { results, cancelled })
  expect(await cache.get(key)).toBeNull()
})

test('a torn or forged file is no result [ward-tree]', async () => {
  const { cache, directory } = cacheOf()
  await cache.put(key, { results: [green], cancelled: false })
  const path = join(directory, readdirSync(directory)[0]!)
  const text = readFileSync(path, 'utf8')
  for (const bad of [text.slice(0, -5), '[]', '{}', text.replace('green', 'red')]) {
    writeFileSync(path, bad)
    expect(await cache.get(key)).toBeNull()
  }
})

test('the results that were used longest ago are forgotten [ward-tree]', async () => {
  const { cache, directory } = cacheOf(3)
  for (const tree of ['a', 'b', 'c']) await cache.put({ ...key, tree }, { results: [green], cancelled: false })
  for (const name of readdirSync(directory)) utimesSync(join(directory, name), 1, 1)
  await cache.get({ ...key, tree: 'a' })
  await cache.get({ ...key, tree: 'c' })
  await cache.put({ ...key, tree: 'd' }, { results: [green], cancelled: false })
  const found = await Promise.all(['a', 'b', 'c', 'd'].map(tree => cache.get({ ...key, tree })))
  expect(found.map(result => result !== null)).toEqual([true, false, true, true])
})

test('the tools of a ward are those that its commands name and its files speak of [ward-tree]', () => {
  expect(toolsOf(['npm run test', 'cd .. && make check'], { names: ['package.json'] })).toEqual(['node', 'npm', 'make'])
  expect(toolsOf(['./check'], { names: ['setup.py', 'go.mod', 'Cargo.toml'] })).toEqual([
    ...['python3', 'go', 'cargo', 'rustc'],
  ])
  expect(toolsOf(['xnpm run', 'npm-check'], { names: [] })).toEqual([])
})

test('a green tree is not run again until the tree, the commands, a tool or the lock file is another [ward-tree]', async () => {
  const { root, to, environment, worktree, setup } = checkout({ 'package-lock.json': '{}' })
  worktree()
  const bin = join(root, 'bin')
  mkdirSync(bin)
  const node = (version: string) => {
    writeFileSync(join(bin, 'node'), `#!/bin/sh\necho ${version}\n`)
    chmodSync(join(bin, 'node'), 0o755)
  }
  node('v1')
  const mine = { ...environment, PATH: `${bin}:${environment.PATH}` }
  const cache = new GreenCache(join(root, 'cache'))
  const counted = () => readFileSync(join(root, 'count'), 'utf8').length
  const ward = (more: Partial<TreeWard> = {}) =>
    wardTree({
      tree: 'tree-1',
      setup: setup({ environment: mine }),
      commands: [{ command: 'node; printf x >> ../count' }],
      timeLimitMs: 100_000,
      outputDirectory: join(root, 'output'),
      key: 'key',
      cache,
      ...more,
    })
  expect(await ward()).toMatchObject({ cached: false, problem: null, results: [{ how: 'green' }] })
  expect(await ward()).toMatchObject({ cached: true, results: [{ how: 'green' }] })
  expect(counted()).toBe(1)
  expect(await ward({ tree: 'tree-2' })).toMatchObject({ cached: false })
  expect(await ward({ commands: [{ command: 'node; printf x >> ../count;' }] })).toMatchObject({ cached: false })
  node('v2')
  expect(await ward()).toMatchObject({ cached: false })
  write(to, { 'package-lock.json': '{"a":1}' })
  expect(await ward()).toMatchObject({ cached: false })
  expect(counted()).toBe(5)
  expect(await ward()).toMatchObject({ cached: true })
})

test('a red tree is run each time, and a worktree that cannot be set up is not warded [ward-tree]', async () => {
  const { root, worktree, setup } = checkout({ x: '' })
  worktree()
  const base = { tree: 't', timeLimitMs: 100_000, outputDirectory: join(root, 'output'), key: 'key' }
  const cache = new GreenCache(join(root, 'cache'))
  const red = { ...base, setup: setup(), commands: [{ command: 'printf x >> ../count; exit 1' }], cache }
  for (let n = 0; n < 2; n++) expect(await wardTree(red)).toMatchObject({ cached: false, results: [{ how: 'red' }] })
  expect(readFileSync(join(root, 'count'), 'utf8')).toBe('xxxx')
  const broken = { ...red, setup: setup({ command: 'echo no; exit 1' }) }
  expect(await wardTree(broken)).toMatchObject({ results: [], problem: 'the setup command failed: no' })
  expect(readFileSync(join(root, 'count'), 'utf8')).toBe('xxxx')
})
