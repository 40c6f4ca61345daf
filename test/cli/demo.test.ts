import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PUPPET } from '../support/temp-home.ts'
import { blocks, constant } from './papers.ts'
import { expectNothingLeftAfter, leftBy, NOTHING, visitor } from './visitor.ts'

describe('the demo', () => {
  test('mends a failing test in a repository of its own, prints what README shows, and leaves nothing behind [demo-whole] [demo-real-client] [demo-clean] [papers-first-steps]', async () => {
    await using home = await visitor('the real client')
    const { code, out, err } = await home.demo().ended
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/\nEdit {2}\S+\/cart\.mjs\n/)
    expect(out).toContain('+  return items.reduce((sum, item) => sum + item.price * item.count, 0)')
    expect(out).toContain('The test passes now: run by us, not on the agent’s word.')
    expect(out).toMatch(/\nSummary: run [a-z0-9]{8} is complete, 1 turn, .* in play money\.\nNext: rehoboam spawn /)
    expect(constant(out.replaceAll(home.temporary, '/tmp'))).toBe(constant(blocks('README.md', 'text')[0]!))
    expect(await leftBy(home)).toEqual(NOTHING)
  })

  test('with --keep leaves its directory to look at and nothing that runs, also from inside an agent [demo-clean] [demo-inside-agent]', async () => {
    await using home = await visitor('the real client')
    const { code, out } = await home.demo(['--keep'], { CLAUDECODE: '1' }).ended
    expect(code).toBe(0)
    const directory = /\nLeft for you to look at: (\S+)\n$/.exec(out)?.[1] ?? ''
    expect(readFileSync(join(directory, 'shop/cart.mjs'), 'utf8')).toContain('item.price * item.count')
    expect(readdirSync(join(directory, 'state/runs'))).toHaveLength(1)
    expect(await leftBy(home)).toEqual({ ...NOTHING, files: readdirSync(home.temporary).slice(0, 1) })
  })

  test('without a client says how to get one, ends with 1, and leaves nothing behind [demo-client-missing]', async () => {
    await using home = await visitor('no client')
    const { code, out, err } = await home.demo().ended
    expect([code, out]).toEqual([1, ''])
    expect(err).toBe(
      'rehoboam: the demo runs Claude Code, but claude is not there or does not run. Type: npm install -g @anthropic-ai/claude-code, or rehoboam config set claude <path>\n',
    )
    expect(await leftBy(home)).toEqual(NOTHING)
  })

  test('plays with the client that the user’s own configuration names [demo-client-configured]', async () => {
    await using home = await visitor('no client')
    mkdirSync(join(home.user, '.config/rehoboam'), { recursive: true })
    writeFileSync(join(home.user, '.config/rehoboam/config.json'), JSON.stringify({ claude: PUPPET }))
    const { code, out } = await home.demo().ended
    expect([code, out]).toEqual([0, expect.stringContaining('The test passes now')])
    const missing = await home.demo([], { REHOBOAM_CLAUDE: '/nowhere/claude' }).ended
    expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('/nowhere/claude is not there')])
  })

  test('Ctrl-C in the middle of its session ends it with 130 and leaves nothing behind [demo-clean]', () =>
    expectNothingLeftAfter('I look at the code', ['SIGINT']))
})
