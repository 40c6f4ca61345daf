import { expect, test } from 'vitest'
import { Clock } from '../../src/tui/clock.ts'
import { frameOf } from '../../src/tui/frame.ts'
import { AT_FIRST } from '../../src/tui/ui.ts'
import { Board } from '../../src/view/board.ts'
import { agent, details, NOW, run, told } from './stage.ts'

const SIZE = { columns: 120, rows: 40 }
const ago = (seconds: number) => new Date(NOW - seconds * 1000).toISOString()

test('a picture is looked at again as often as the youngest time on it asks for, and all of them at once [tui-rest]', () => {
  const lookedAfter = (...ages: number[]) => {
    const board = new Board()
    const agents = ages.map((seconds, n) => agent(n + 5, { since: ago(seconds), run: null, status: 'waiting' }))
    board.take({ ...told(0), agents })
    return frameOf({ board, ui: AT_FIRST, details: details(), clock: new Clock(NOW) }, SIZE).oldInMs
  }
  expect(lookedAfter(3, 700)).toBe(1_000)
  expect(lookedAfter(12, 700, 7_000)).toBe(5_000)
  expect(lookedAfter(...Array.from({ length: 30 }, (_, n) => 100 + 7 * n))).toBe(20_000)
  expect(lookedAfter()).toBe(60_000)
  // On whole seconds: thirty times that are shown are one look.
  expect(new Clock(NOW + 400).oldInMs).toBe(59_600)
})

test('times say what they are: an age in one unit, what goes on as long as it has no end [tui-rest]', () => {
  const clock = new Clock(NOW)
  expect([3, 59, 61, 7_200, 200_000].map(seconds => clock.age(ago(seconds)))).toEqual([
    '3 s',
    '59 s',
    '1 m',
    '2 h',
    '2 d',
  ])
  expect([clock.age(null), clock.took(ago(90), ago(30)), clock.took(ago(90), null), clock.took(ago(0), null)]).toEqual([
    '',
    '1 m 00 s',
    '1 m 30 s',
    '0 s',
  ])
})

test('runs that ended long ago leave a board that is looked at for weeks; what goes on never does [tui-rest]', () => {
  const board = new Board()
  board.take(told(0))
  const nothing = { agents: [], left: [], inbox: null, happenings: [], omitted: 0 }
  const id = (n: number) => `r${String(n).padStart(7, '0')}`
  for (let n = 0; n < 3_000; n++) {
    const ended = run(id(n), { status: 'complete', endedAt: new Date(NOW + n).toISOString() })
    board.take({ type: 'changed', ...nothing, runs: [run(id(n)), run(`live${n % 7}`)] })
    board.take({ type: 'changed', ...nothing, runs: [ended] })
  }
  expect(board.runs.size).toBeLessThan(1_100)
  expect(board.runs.has(id(2_999)) && board.runs.has(id(2_500))).toBe(true)
  expect([...board.runs.keys()].filter(name => name.startsWith('live'))).toHaveLength(7)
  expect(board.rootRuns()).toHaveLength(board.runs.size)
})
