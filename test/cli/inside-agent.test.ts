import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PLAYS_ALL } from '../support/plays-all.ts'
import { type TempHome, tempHome } from '../support/temp-home.ts'
import { completeRun } from './started.ts'

describe('from inside an agent', () => {
  // One home for all of them: nothing is changed in it but by the last.
  let home: TempHome
  let id: string
  beforeAll(async () => {
    home = await tempHome({ scenario: [{ reply: { text: 'done' } }] })
    id = await completeRun(home)
  })
  afterAll(() => home[Symbol.asyncDispose]())

  const changes = () => [
    ['spawn', '--prompt', 'go'],
    ['cancel', id],
    ['pause', id],
    ['resume', id, 'go on'],
    ['tell', id, 'x'],
    ['config', 'set', 'model', 'opus'],
    ['daemon', 'stop'],
  ]

  test.for([
    // One place refuses all of them: for the second mark one command is enough, and all in test:all.
    ['CLAUDECODE', 7],
    ['REHOBOAM_RUN', PLAYS_ALL ? 7 : 1],
  ] as const)('with %s set, commands that change something are refused [cli-inside-agent]', async ([mark, count]) => {
    const before = { runs: home.runs(), events: home.journal(id).length }
    for (const args of changes().slice(0, count)) {
      const { code, out, err } = await home.rehoboam(args, { [mark]: 'x' })
      expect([args[0], code, out]).toEqual([args[0], 2, ''])
      expect(err).toMatch(
        new RegExp(`^rehoboam: rehoboam [a-z ]+ may not be run from inside an agent \\(${mark} is set\\);`),
      )
      expect(err).toContain(`unset ${mark} if it is left over`)
    }
    expect({ runs: home.runs(), events: home.journal(id).length }).toEqual(before)
    expect((await home.rehoboam(['config', 'get', 'model'])).out).toBe('(none)\n')
  })

  test('commands that read work as they do elsewhere [cli-inside-agent]', async () => {
    for (const args of [
      ['runs', '--json'],
      ['show', id, '--json'],
      ['logs', id],
      ['config', 'list'],
      ['config', 'get', 'model'],
      ['config', 'explain', 'model'],
      ['daemon', 'status', '--json'],
    ]) {
      expect(await home.rehoboam(args, { CLAUDECODE: '1' })).toEqual(await home.rehoboam(args))
    }
  })

  test('an empty mark is no mark [cli-inside-agent]', async () => {
    const { code } = await home.rehoboam(['spawn', '--prompt', 'go', '--wait'], { CLAUDECODE: '', REHOBOAM_RUN: '' })
    expect(code).toBe(0)
  })
})
