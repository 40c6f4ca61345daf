import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CONFIG_KEY_NAMES } from '../../src/config/keys.ts'
import { type TempHome, tempHome } from '../support/temp-home.ts'

const filesOf = (home: { user: string; project: string }) => ({
  user: join(home.user, '.config/rehoboam/config.json'),
  project: join(home.project, 'rehoboam.config.json'),
})

describe('configuration from the command line', () => {
  test('a value that is set is in the user’s file, is listed with its place, and can be taken out [cli-config]', async () => {
    await using home = await tempHome()
    const { user } = filesOf(home)
    expect((await home.rehoboam(['config', 'get', 'model'])).out).toBe('(none)\n')
    const set = await home.rehoboam(['config', 'set', 'model', 'opus'])
    expect(set).toMatchObject({ code: 0, out: `model is set in ${user}\n`, err: '' })
    expect(JSON.parse(readFileSync(user, 'utf8'))).toEqual({ model: 'opus' })
    expect((await home.rehoboam(['config', 'get', 'model'])).out).toBe('opus\n')
    const list = (await home.rehoboam(['config', 'list'])).out
    expect(list).toMatch(/^key +value +from\n/)
    for (const key of CONFIG_KEY_NAMES) expect(list).toContain(`\n${key} `)
    expect(list).toMatch(new RegExp(`\\nmodel +opus +user ${user}\\n`))
    expect((await home.rehoboam(['config', 'set', '--unset', 'model'])).out).toBe(`model is no longer set in ${user}\n`)
    expect((await home.rehoboam(['config', 'get', 'model'])).out).toBe('(none)\n')
  })

  test('a project’s value outranks the user’s, a variable both, and a run gets it [cli-config]', async () => {
    await using home = await tempHome({ scenario: [{ reply: { text: 'done' } }] })
    const { project } = filesOf(home)
    await home.rehoboam(['config', 'set', 'model', 'from-user'])
    const set = await home.rehoboam(['config', 'set', '--project', 'model', 'from-project'])
    expect(set.out).toBe(`model is set in ${project}\n`)
    const entry = async (env = {}) => JSON.parse((await home.rehoboam(['config', 'get', 'model', '--json'], env)).out)
    expect(await entry()).toMatchObject({
      key: 'model',
      value: 'from-project',
      origin: { source: 'project', where: project },
    })
    expect(await entry({ REHOBOAM_MODEL: 'from-env' })).toMatchObject({
      value: 'from-env',
      origin: { source: 'environment' },
    })
    await home.rehoboam(['spawn', '--prompt', 'go', '--wait'])
    expect(home.model.asked[0]?.model).toBe('from-project')
    await home.rehoboam(['spawn', '--prompt', 'go', '--wait', '--model', 'from-flag'])
    expect(home.model.asked[1]?.model).toBe('from-flag')
  })

  // One home for all of them: nothing is ever made in it.
  let home: TempHome
  beforeAll(async () => {
    home = await tempHome()
  })
  afterAll(() => home[Symbol.asyncDispose]())

  test.for([
    [['config', 'set', '--project', 'claude', '/bin/evil'], 'it names a program that would be run'],
    [['config', 'set', '--project', 'permissionMode', 'bypassPermissions'], 'a clone must not decide'],
    [['config', 'set', 'modle', 'opus'], 'model'],
    [['config', 'get', 'sessions.maxx'], 'sessions.max'],
    [['config', 'explain', 'maxCost'], 'maxCostUsd'],
    [['config', 'set', 'sessions.max', 'many'], 'sessions.max'],
    [['config', 'set', 'sessions.max', '0'], 'sessions.max'],
    [['config', 'set', 'model'], 'give a value, or --unset'],
    [['config', 'set', '--unset', 'model', 'opus'], 'give a value, or --unset'],
  ] as const)('%j is refused with code 2, says why, and writes nothing [cli-config]', async ([args, words]) => {
    const { code, out, err } = await home.rehoboam([...args])
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(words)
    for (const path of Object.values(filesOf(home))) expect(existsSync(path)).toBe(false)
  })

  test('explain says what a key is for and why its default is what it is [cli-config]', async () => {
    await using home = await tempHome()
    const { code, out } = await home.rehoboam(['config', 'explain', 'session.crashRetries'])
    expect(code).toBe(0)
    expect(out).toMatch(
      /^session.crashRetries: How often[\s\S]*\ndefault +3\nwhy +A passing fault[\s\S]*\nvariable +REHOBOAM_SESSION_CRASH_RETRIES\n/,
    )
    const told = JSON.parse((await home.rehoboam(['config', 'explain', 'model', '--json'])).out)
    expect(told).toMatchObject({ key: 'model', default: null, flag: '--model' })
  })

  test('what is wrong in a file is named, with code 2, and what a hostile file holds reaches no terminal [cli-config]', async () => {
    await using home = await tempHome()
    writeFileSync(filesOf(home).project, JSON.stringify({ modle: 'x\x1b]0;owned\x07', claude: '/bin/evil' }))
    const { code, err } = await home.rehoboam(['config', 'list'])
    expect(code).toBe(2)
    expect(err).toContain('modle')
    const spawned = await home.rehoboam(['spawn', '--prompt', 'go'])
    expect(spawned.code).toBe(2)
    expect(err + spawned.err).not.toMatch(/[\p{Cc}--\n]/v)
    expect(home.runs()).toEqual([])
  })
})
