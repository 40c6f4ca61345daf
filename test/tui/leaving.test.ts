import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startRun } from '../cli/started.ts'
import { kill, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { dashboardIn } from './terminal.ts'

describe('the terminal is left as it was found', () => {
  test('by q, Ctrl-C, SIGTERM and a crash, and nothing that runs is stopped by it [tui-leaving]', async () => {
    await using home = await tempHome()
    // A fault of ours, from outside: the program itself has no way to be broken on purpose.
    const fault = join(home.root, 'fault.mjs')
    writeFileSync(fault, "process.on('SIGUSR2', () => { throw new Error('a fault of ours') })\n")
    await using terminal = await dashboardIn(home, { env: { NODE_OPTIONS: `--import=${fault}` } })
    // Its answer is there and the shell is ready again: the modes of a terminal are others while something runs.
    const sayBefore = async () => {
      await terminal.type('echo what was there before')
      await terminal.keys('Enter')
      await terminal.sees(/^what was there before\nready\$/m)
    }
    await sayBefore()
    const before = await terminal.modes()
    const ways: [how: string, leave: () => unknown, code: number][] = [
      ['q', () => terminal.keys('q'), 0],
      ['Ctrl-C', () => terminal.keys('C-c'), 0],
      ['SIGTERM', () => kill(terminal.pid(), 'SIGTERM'), 143],
      ['a crash', () => kill(terminal.pid(), 'SIGUSR2'), 1],
    ]
    for (const [how, leave, code] of ways) {
      await terminal.open()
      expect(await terminal.modes(), how).toContain('alternate_on=1')
      await leave()
      const screen = await terminal.sees(new RegExp(`left with ${code}\nready\\$`))
      expect(screen, how).toContain('what was there before')
      expect(screen, how).not.toContain('nothing needs you')
      expect(await terminal.modes(), how).toBe(before)
      await terminal.keys('clear', 'Enter')
      await until(async () => !(await terminal.screen()).includes('left with'), 'a clear screen')
      await sayBefore()
    }
    expect((await home.rehoboam(['daemon', 'status'])).code).toBe(0)
  })

  test('it fits a terminal that changes its size, and tells lines where that is wanted [tui-screens] [tui-plain]', async () => {
    await using home = await tempHome()
    await using terminal = await dashboardIn(home, { columns: 200, rows: 60 })
    await terminal.open()
    for (const [columns, rows] of [
      [80, 24],
      [120, 40],
    ] as const) {
      await terminal.tmux('resize-window', '-x', String(columns), '-y', String(rows))
      await until(async () => {
        const lines = (await terminal.screen()).split('\n').slice(0, rows)
        return lines[1]?.length === columns && lines.at(-1)?.includes('quit')
      }, `a picture of ${columns}x${rows}`)
    }
    await terminal.keys('q')
    await terminal.sees('left with 0')
    await using plain = await dashboardIn(home, { args: ['--plain'] })
    await plain.open()
    expect(await plain.modes()).toContain('alternate_on=0')
    await plain.keys('?')
    const told = await plain.sees('allow always for this run')
    expect(told).not.toMatch(/[─│▌]/)
    await plain.keys('q')
    await plain.sees('left with 0')
    await plain.keys('clear', 'Enter')
    await until(async () => !(await plain.screen()).includes('left with'), 'a clear screen')
    await plain.open()
    kill(plain.pid(), 'SIGTERM')
    await plain.sees('left with 143')
  })
})

test('a daemon that is killed is said to be away, and the dashboard catches up when it is back [tui-away]', async () => {
  await using home = await tempHome({ scenario: [{ reply: { fault: { kind: 'hang' } } }] })
  await using terminal = await dashboardIn(home)
  await terminal.open()
  const first = await startRun(home, { prompt: 'the first one' })
  await terminal.keys('r')
  await terminal.sees(first)
  // It may be back before anybody sees it gone: what counts is that nothing is missed.
  kill(home.daemonPid()!)
  const second = await startRun(home, { prompt: 'the second one' })
  const screen = await terminal.sees(second)
  expect(screen).toContain(first)
  await terminal.sees('runs  2 live, 2 in all')
  await terminal.keys('g')
  // The second may be known only a moment later.
  await until(async () => {
    const agents = await home.daemon.ask<unknown[]>({ path: '/v1/agents' })
    return agents.length > 0 && (await terminal.screen()).includes(`agents  ${agents.length} `)
  }, 'all agents')
  await terminal.keys('r')
  await home.daemon.stop(null)
  await terminal.sees('the daemon was stopped')
  await home.daemon.ready()
  await until(async () => !(await terminal.screen()).includes('was stopped'), 'the dashboard to see it again')
  await terminal.sees(second)
})
