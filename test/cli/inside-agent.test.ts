import { describe, expect, test } from 'vitest'
import { tempHome } from '../support/temp-home.ts'

const inside = { CLAUDECODE: '1' }

describe('from inside an agent', () => {
  test.for(['CLAUDECODE', 'REHOBOAM_RUN'])(
    'with %s set, commands that change something are refused [cli-inside-agent]',
    async mark => {
      await using home = await tempHome({ scenario: [{ reply: { text: 'done' } }] })
      await home.rehoboam(['spawn', '--prompt', 'go', '--wait'])
      const id = home.runs()[0]!
      const before = home.journal(id).length
      for (const args of [
        ['spawn', '--prompt', 'go'],
        ['cancel', id],
        ['pause', id],
        ['resume', id, 'go on'],
        ['tell', id, 'x'],
        ['config', 'set', 'model', 'opus'],
        ['daemon', 'stop'],
      ]) {
        const { code, out, err } = await home.rehoboam(args, { [mark]: 'x' })
        expect([args[0], code, out]).toEqual([args[0], 2, ''])
        expect(err).toMatch(
          new RegExp(`^rehoboam: rehoboam [a-z ]+ may not be run from inside an agent \\(${mark} is set\\);`),
        )
        expect(err).toContain(`unset ${mark} if it is left over`)
      }
      expect([home.runs(), home.journal(id).length]).toEqual([[id], before])
      expect((await home.rehoboam(['config', 'get', 'model'])).out).toBe('(none)\n')
    },
  )

  test('commands that read work as they do elsewhere [cli-inside-agent]', async () => {
    await using home = await tempHome({ scenario: [{ reply: { text: 'done' } }] })
    await home.rehoboam(['spawn', '--prompt', 'go', '--wait'])
    const id = home.runs()[0]!
    for (const args of [
      ['runs', '--json'],
      ['show', id, '--json'],
      ['logs', id],
      ['config', 'list'],
      ['config', 'get', 'model'],
      ['config', 'explain', 'model'],
      ['daemon', 'status', '--json'],
    ]) {
      expect(await home.rehoboam(args, inside)).toEqual(await home.rehoboam(args))
    }
  })

  test('an empty mark is no mark [cli-inside-agent]', async () => {
    await using home = await tempHome({ scenario: [{ reply: { text: 'done' } }] })
    const { code } = await home.rehoboam(['spawn', '--prompt', 'go', '--wait'], { CLAUDECODE: '', REHOBOAM_RUN: '' })
    expect(code).toBe(0)
  })
})
