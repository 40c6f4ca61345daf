import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TempHome, tempHome } from '../support/temp-home.ts'
import { completeRun } from './started.ts'
import { onTerminal } from './terminal.ts'

const HOSTILE = 'before\x1b]0;owned\x07\x1b[2J\x1b[1;1H\x1b[31mred\u202e\x9b2J\rafter\b\b'
const spawn = ['spawn', '--prompt', 'go', '--wait', '--allowed-tools', 'Bash']
const FAILS = { tools: [{ name: 'Bash', input: { command: 'false\x1b[31m' } }] }
const SCENARIO = [
  { when: { prompt: 'go', turn: 0 }, reply: { text: HOSTILE, ...FAILS } },
  { when: { prompt: 'before' }, reply: { text: HOSTILE } },
  { reply: { text: 'done' } },
]
const ESC = '\x1b'
const COLOUR = new RegExp(`${ESC}\\[\\d+m`, 'g')
/** Whoever waits on a terminal has our title, and the one before it back afterwards. */
const OWN_TITLE = new RegExp(`${ESC}\\[2[23];2t|${ESC}\\]2;rehoboam: [a-z0-9 ]+${ESC}\\\\`, 'g')

describe('colours', () => {
  // One home for all of them: each looks at a run of its own.
  let home: TempHome
  beforeAll(async () => {
    home = await tempHome({ scenario: SCENARIO })
  })
  afterAll(() => home[Symbol.asyncDispose]())

  test('without a terminal no command writes an escape byte [cli-no-escapes]', async () => {
    const live = await home.rehoboam(spawn)
    const id = /^run ([a-z0-9]{8}) in /m.exec(live.out)?.[1] ?? ''
    const all = [live]
    for (const args of [
      ['runs'],
      ['show', id],
      ['logs', id],
      ['logs', id, '--json'],
      ['show', id, '--json'],
      ['config', 'list'],
    ]) {
      all.push(await home.rehoboam(args))
    }
    expect(live.out).toMatch(/^beforered\nafter$/m)
    expect(all.map(({ out, err }) => out + err).join('')).not.toMatch(/[\p{Cc}--\n]|\u202e/v)
  })

  test('on a terminal they are there, and are the only escapes: what an agent says cannot write one [cli-no-escapes]', async () => {
    const { bytes, screen, title } = await onTerminal(home, spawn)
    const [, id] = /\[2mrun ([a-z0-9]{8}) in /.exec(bytes) ?? []
    expect(home.runs()).toContain(id)
    expect(bytes).toContain('\x1b[34mBash  false\x1b[0m')
    expect(bytes).toContain(`${ESC}[32mcomplete: `)
    const said = bytes.replace(OWN_TITLE, '')
    expect(said.split(ESC).length - 1).toBe(said.match(COLOUR)?.length)
    expect(said.replace(COLOUR, '').replaceAll('\r\n', '\n')).not.toMatch(/[\p{Cc}--\n]|\u202e/v)
    expect(screen).toMatch(/beforered\nafter\n/)
    expect(title).not.toBe('owned')
  })

  test.for([
    ['NO_COLOR', [], { NO_COLOR: '1' }],
    ['--plain', ['--plain'], {}],
    ['a terminal that can do nothing', [], { TERM: 'dumb' }],
  ] as const)('with %s there are none on a terminal either [cli-no-escapes]', async ([, flags, env]) => {
    const { bytes } = await onTerminal(home, ['spawn', '--prompt', 'plain', '--wait', ...flags], env)
    expect(bytes).toMatch(/complete: /)
    expect(bytes).not.toContain('\x1b')
  })

  test('what is not ours is stripped on a terminal in show and in errors too [cli-no-escapes]', async () => {
    const shown = await onTerminal(home, ['show', await completeRun(home, { prompt: HOSTILE })])
    expect(shown.bytes.match(/beforered/g)?.length).toBe(2)
    const refused = await onTerminal(home, ['spawn', '--prompt', 'x', '--dir', `nowhere${HOSTILE}`])
    expect(refused.bytes).toContain('is not a directory')
    for (const { bytes, title } of [shown, refused]) {
      expect(bytes.replaceAll('\r\n', '\n')).not.toMatch(/[\p{Cc}--\n]|\u202e/v)
      expect(title).not.toBe('owned')
    }
  })
})
