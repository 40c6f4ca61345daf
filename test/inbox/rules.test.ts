import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { inboxOf, PERMISSION, runIn } from './scene.ts'

/** Adds a rule for everything, or for a directory and what is below it; gives its id. */
async function added(home: TempHome, effect: string, text: string, project?: string): Promise<string> {
  const scope = project ? { kind: 'project', project } : { kind: 'always' }
  const body = { effect, text, scope, face: 'cli' }
  return (await home.daemon.decide<{ id: string }>({ method: 'POST', path: '/v1/rules', body })).id
}

describe('rules', () => {
  // One home for all of them: the rules of each are about its own directory.
  let home: TempHome
  beforeAll(async () => {
    home = await tempHome({ scenario: PERMISSION })
  })
  afterAll(() => home[Symbol.asyncDispose]())

  test('a rule that is added answers by itself, is listed, and asks again once it is gone [inbox-rules]', async () => {
    const { code, out } = await home.rehoboam(['rules', 'add', 'allow', 'Bash(touch made.txt)', '--project'])
    const id = /^rule (r\d+): allow Bash\(touch made\.txt\), in /.exec(out)?.[1] ?? ''
    expect([code, id]).toEqual([0, expect.stringMatching(/^r\d+$/)])
    const unasked = await runIn(home, '.', 'perm please')
    await until(() => existsSync(join(home.project, 'made.txt')), 'the command to run unasked')
    expect((await inboxOf(home)).filter(({ run }) => run === unasked.run)).toEqual([])
    const listed = JSON.parse((await home.rehoboam(['rules', 'list', '--json'])).out)
    expect(listed).toContainEqual(expect.objectContaining({ id, effect: 'allow' }))
    expect((await home.rehoboam(['rules', 'rm', id])).code).toBe(0)
    const { asking } = await runIn(home, 'again', 'perm please')
    expect(await asking()).toMatchObject({ why: 'no rule matches touch made.txt' })
  })

  test('a rule that denies tells the agent which rule it was [inbox-rules]', async () => {
    await home.daemon.ready()
    const id = await added(home, 'deny', 'Bash(touch *)', join(home.project, 'denied'))
    const { directory, goesOn } = await runIn(home, 'denied', 'perm please')
    expect(JSON.stringify((await goesOn()).messages.at(-1))).toContain(`rule ${id} denies`)
    expect(existsSync(join(directory, 'made.txt'))).toBe(false)
  })

  test('wrong rules are refused with what to type [inbox-rules]', async () => {
    for (const args of [
      ['maybe', 'Bash'],
      ['allow', 'Bash('],
      ['allow', ''],
    ]) {
      expect((await home.rehoboam(['rules', 'add', ...args])).code).toBe(2)
    }
    expect((await home.rehoboam(['rules', 'rm', 'r9'])).code).toBe(2)
  })
})

test('a rules file that cannot be read allows nothing, is said, and is not overwritten [inbox-rules]', async () => {
  await using home = await tempHome({ scenario: PERMISSION })
  await home.daemon.ready()
  await added(home, 'allow', 'Bash(touch made.txt)')
  await home.daemon.stop(null)
  const path = join(home.home, 'rules.json')
  writeFileSync(path, `${readFileSync(path, 'utf8')}!`)
  const { asking } = await runIn(home, '.', 'perm please')
  await asking()
  const { code, err } = await home.rehoboam(['rules', 'add', 'allow', 'Read'])
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('cannot be used') })
  expect(readFileSync(path, 'utf8')).toMatch(/!$/)
})
