import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tamperedBetween } from '../../src/daemon/ward/tampered-between.ts'
import { checkout, write } from './checkout.ts'

/** A repository with a project in it, and what is found after a change. */
function project() {
  const made = checkout({
    'app/package.json': '{"scripts":{"test":"node run/all.mjs"}}',
    'app/run/all.mjs': 'a',
    'app/sum.test.ts': "test('adds', f)\ntest('adds more', f)\n",
    'app/sum.ts': 'a',
  })
  const head = () => made.git('rev-parse', 'HEAD').toString().trim()
  const base = head()
  const after = async (change: () => void) => {
    change()
    made.git('add', '-A')
    made.git('commit', '-qm', 'change')
    const { environment, from: directory } = made
    const commands = [{ command: 'npm run test' }]
    return tamperedBetween({ environment, directory, base, commit: head(), project: 'app', commands })
  }
  return { app: join(made.from, 'app'), after }
}

test('three ways to make a ward green are found between two commits [ward-tampered]', async () => {
  const { app, after } = project()
  const script = await after(() => write(app, { 'package.json': '{"scripts":{"test":"true"}}' }))
  expect(script.map(({ sentence }) => sentence)).toEqual([
    'app/package.json: script "test" was "node run/all.mjs", is "true"',
  ])
  const skipped = await after(() => write(app, { 'sum.test.ts': "test.skip('adds', f)\ntest('adds more', f)\n" }))
  expect(skipped.map(({ what, path }) => [what, path])).toContainEqual(['skipped', 'app/sum.test.ts'])
  const deleted = await after(() => rmSync(join(app, 'sum.test.ts')))
  expect(deleted.map(({ what, path }) => [what, path])).toContainEqual(['deleted', 'app/sum.test.ts'])
})

test('a runner that an unchanged script starts is found, whatever else is called in a strange way [ward-tampered]', async () => {
  const { app, after } = project()
  const found = await after(() =>
    write(app, { 'run/all.mjs': 'b', 'a\n b\t"ü.ts': 'x', 'empty.ts': '', 'sum.ts': 'b' }),
  )
  expect(found.map(({ what, path }) => [what, path])).toEqual([['definition', 'app/run/all.mjs']])
})

test('work with new and moved tests is no tampering between two commits [ward-tampered-not]', async () => {
  const { app, after } = project()
  const found = await after(() => {
    rmSync(join(app, 'sum.test.ts'))
    write(app, { 'sum.ts': 'b', 'deep/sum.test.ts': "test('adds', f)\ntest('adds more', f)\ntest('subtracts', f)\n" })
    write(app, { 'large.json': `"${'x'.repeat(1_000_000)}"` })
  })
  expect(found).toEqual([])
})
