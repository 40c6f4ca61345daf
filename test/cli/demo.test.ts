import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { REAL_CLIENT, type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'

/** A person who tries it out: nothing of ours in their environment, and a temporary directory that can be looked into. */
async function visitor(withClient: boolean) {
  const home = await tempHome()
  const temporary = join(home.root, 'tmp')
  mkdirSync(temporary)
  const folders = (process.env.PATH ?? '').split(delimiter).filter(folder => !existsSync(join(folder, 'claude')))
  const path = [dirname(process.execPath), ...(withClient ? [dirname(REAL_CLIENT)] : []), ...folders]
  const none = {
    REHOBOAM_HOME: undefined,
    REHOBOAM_CLAUDE: undefined,
    ANTHROPIC_API_KEY: undefined,
    ANTHROPIC_BASE_URL: undefined,
  }
  const env = { PATH: path.join(delimiter), TMPDIR: temporary, ...none }
  return Object.assign(home, { temporary, demo: (...args: string[]) => home.start(['demo', ...args], env) })
}

/** What is there when everything that was ending has ended: a process may outlive its parent by a moment, not by more. */
async function leftBy(home: TempHome & { temporary: string }) {
  const left = () => ({ files: readdirSync(home.temporary), processes: home.processes(), runs: home.runs() })
  await until(() => left().processes.length === 0, 'all processes to be gone').catch(() => {})
  return left()
}

const NOTHING = { files: [], processes: [], runs: [] }

describe('the demo', () => {
  test('mends a failing test in a repository of its own, shows the change, and leaves nothing behind [demo-whole] [demo-clean]', async () => {
    await using home = await visitor(false)
    const { code, out, err } = await home.demo().ended
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('Client: a puppet that behaves like Claude Code, which is not installed here.')
    expect(out).toMatch(/\nEdit {2}\S+\/cart\.mjs\n/)
    expect(out).toContain('+  return items.reduce((sum, item) => sum + item.price * item.count, 0)')
    expect(out).toContain('The test passes now: run by us, not on the agent’s word.')
    expect(out).toMatch(/\nSummary: run [a-z0-9]{8} is complete, 1 turn, .* in play money\.\nNext: rehoboam spawn /)
    expect(await leftBy(home)).toEqual(NOTHING)
  })

  test('plays with the real client where there is one, and that leaves nothing behind either [demo-real-client] [demo-clean]', async () => {
    await using home = await visitor(true)
    const { code, out, err } = await home.demo().ended
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('Client: the Claude Code that is installed here.')
    expect(out).toContain('The test passes now')
    expect(await leftBy(home)).toEqual(NOTHING)
  })

  test('with --keep leaves its directory to look at, and nothing that runs [demo-keep]', async () => {
    await using home = await visitor(false)
    const { code, out } = await home.demo('--keep').ended
    expect(code).toBe(0)
    const directory = /\nLeft for you to look at: (\S+)\n$/.exec(out)?.[1] ?? ''
    expect(readFileSync(join(directory, 'shop/cart.mjs'), 'utf8')).toContain('item.price * item.count')
    expect(readdirSync(join(directory, 'state/runs'))).toHaveLength(1)
    expect(await leftBy(home)).toEqual({ ...NOTHING, files: readdirSync(home.temporary).slice(0, 1) })
  })

  test.for([
    ['Ctrl-C at its beginning', 'A scratch repository', ['SIGINT']],
    ['Ctrl-C in mid session', 'I look at the code', ['SIGINT']],
    ['two Ctrl-C', 'I look at the code', ['SIGINT', 'SIGINT']],
    ['a closed terminal', 'I look at the code', ['SIGHUP']],
    ['TERM', 'I look at the code', ['SIGTERM']],
  ] as const)('%s ends it with 130 and leaves nothing behind [demo-interrupted]', async ([, at, signals]) => {
    await using home = await visitor(false)
    const { child, ended, out } = home.demo()
    // The moment it is printed: a look now and then could come when all of it is over.
    await new Promise<void>(resolve => {
      child.stdout!.on('data', () => out().includes(at) && resolve())
      child.once('close', () => resolve())
    })
    for (const signal of signals) child.kill(signal)
    const { code, out: said } = await ended
    expect(code).toBe(130)
    expect(said).not.toContain('Summary')
    expect(await leftBy(home)).toEqual(NOTHING)
  })

  test('may be tried from inside an agent: it touches nothing of its user’s [demo-inside-agent]', async () => {
    await using home = await visitor(false)
    const { code } = await home.rehoboam(['demo'], { CLAUDECODE: '1', TMPDIR: home.temporary })
    expect(code).toBe(0)
    expect(await leftBy(home)).toEqual(NOTHING)
  })
})
