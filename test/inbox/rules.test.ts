import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { asking, inboxOf, PERMISSION, spawned } from './scene.ts'

test('a rule that is added answers by itself, is listed, and asks again once it is gone [inbox-rules]', async () => {
  await using home = await tempHome({ scenario: PERMISSION })
  const added = await home.rehoboam(['rules', 'add', 'allow', 'Bash(touch made.txt)', '--project'])
  expect(added).toMatchObject({ code: 0, out: expect.stringContaining('rule r1: allow Bash(touch made.txt), in ') })
  await spawned(home, 'perm please')
  await until(() => existsSync(join(home.project, 'made.txt')), 'the command to run unasked')
  expect(await inboxOf(home)).toEqual([])
  expect(JSON.parse((await home.rehoboam(['rules', 'list', '--json'])).out)).toMatchObject([
    { id: 'r1', effect: 'allow' },
  ])
  expect((await home.rehoboam(['rules', 'rm', 'r1'])).code).toBe(0)
  await spawned(home, 'perm please')
  expect(await asking(home)).toMatchObject({ why: 'no rule matches touch made.txt' })
})

test('a rule that denies tells the agent which rule it was [inbox-rule-denies]', async () => {
  await using home = await tempHome({ scenario: PERMISSION })
  await home.rehoboam(['rules', 'add', 'deny', 'Bash(touch *)'])
  await spawned(home, 'perm please')
  const told = await home.model.waitFor(asked => asked.turn === 1)
  expect(JSON.stringify(told.messages.at(-1))).toContain('rule r1 denies')
  expect(existsSync(join(home.project, 'made.txt'))).toBe(false)
})

test('a rules file that cannot be read allows nothing, is said, and is not overwritten [inbox-rules-broken]', async () => {
  await using home = await tempHome({ scenario: PERMISSION })
  await home.rehoboam(['rules', 'add', 'allow', 'Bash(touch made.txt)'])
  await home.rehoboam(['daemon', 'stop'])
  const path = join(home.home, 'rules.json')
  writeFileSync(path, `${readFileSync(path, 'utf8')}!`)
  await spawned(home, 'perm please')
  await asking(home)
  const { code, err } = await home.rehoboam(['rules', 'add', 'allow', 'Read'])
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('cannot be used') })
  expect(readFileSync(path, 'utf8')).toMatch(/!$/)
})

test('wrong rules are refused with what to type [inbox-rules-wrong]', async () => {
  await using home = await tempHome()
  for (const args of [
    ['maybe', 'Bash'],
    ['allow', 'Bash('],
    ['allow', ''],
  ]) {
    expect((await home.rehoboam(['rules', 'add', ...args])).code).toBe(2)
  }
  expect((await home.rehoboam(['rules', 'rm', 'r9'])).code).toBe(2)
})
