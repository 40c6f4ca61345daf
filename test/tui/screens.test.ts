import { describe, expect, test } from 'vitest'
import { Canvas } from '../../src/tui/canvas.ts'
import { Clock } from '../../src/tui/clock.ts'
import { frameOf } from '../../src/tui/frame.ts'
import { paint } from '../../src/tui/paint.ts'
import { rowWidth, textOf } from '../../src/tui/row.ts'
import { AT_FIRST } from '../../src/tui/ui.ts'
import { agent, board, details, everyUi, NOW, question } from './stage.ts'

const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
  { columns: 200, rows: 60 },
]
const CONTROLS = /\p{Cc}|[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029\ufeff]/u

describe('every view, with nothing, one, thirty and a thousand agents, at every size', () => {
  for (const agents of [0, 1, 30, 1_000]) {
    test(`${agents} agents: as many rows as the screen has, none wider, no byte that a terminal obeys [tui-screens]`, () => {
      const [stood, known] = [board(agents), details()]
      const wrong: string[] = []
      for (const { name, ui } of everyUi()) {
        for (const size of SIZES) {
          const { rows } = frameOf({ board: stood, ui, details: known, clock: new Clock(NOW) }, size)
          const where = `${name} at ${size.columns}x${size.rows}`
          if (rows.length !== size.rows) wrong.push(`${where}: ${rows.length} rows`)
          rows.forEach((row, n) => {
            if (rowWidth(row) > size.columns) wrong.push(`${where}, row ${n}: ${rowWidth(row)} wide: ${textOf(row)}`)
            if (CONTROLS.test(textOf(row))) wrong.push(`${where}, row ${n}: ${JSON.stringify(textOf(row))}`)
          })
        }
      }
      expect(wrong).toEqual([])
    })
  }
})

test('colours are escapes that only colour, and without them there is no escape at all [tui-screens]', () => {
  const { rows } = frameOf({ board: board(30), ui: AT_FIRST, details: details(), clock: new Clock(NOW) }, SIZES[1]!)
  for (const depth of ['16', '256'] as const) {
    const painted = rows.map(row => paint(row, depth)).join('\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
    expect(painted.replace(/\u001b\[[0-9;]+m/g, '')).toBe(rows.map(textOf).join('\n'))
    expect(painted.includes('38;5;')).toBe(depth === '256')
  }
  expect(rows.map(row => paint(row, 'none'))).toEqual(rows.map(textOf))
})

const text = (change: Partial<Parameters<typeof frameOf>[0]>, size = SIZES[1]!) => {
  const { rows } = frameOf(
    { board: board(30), ui: AT_FIRST, details: details(), clock: new Clock(NOW), ...change },
    size,
  )
  return rows.map(textOf)
}

test('the header says what needs you, how many of each, the queue, the team and the money of today [tui-header]', () => {
  const [header] = text({}, SIZES[2]!)
  expect(header).toMatch(/^ rehoboam {3}3 need you {3}11 working/)
  expect(header).toMatch(/tasks 4\/12 ●4 ✗2/)
  expect(header).toMatch(/team cart-team/)
  expect(header).toMatch(/\$\d+\.\d\d today *$/)
})

test('who needs somebody stands first, and a loop’s card carries its iteration [tui-header]', () => {
  const lines = text({}, SIZES[2]!)
  const heading = lines[2]!
  expect(heading.indexOf('NEEDS YOU')).toBe(1)
  expect(heading.indexOf('WORKING')).toBeGreaterThan(heading.indexOf('NEEDS YOU'))
  expect(lines.join('\n')).toContain('worker 3/50')
  const narrow = text({}, SIZES[0]!)
  expect(narrow[2]).toContain('NEEDS YOU')
  expect(narrow[3]).toContain('▶')
})

test('a daemon that is away is said, what was last known stays, and all of it is told anew when it is back [tui-away]', () => {
  const stood = board(30)
  stood.lose(null, NOW - 5_000)
  expect(text({ board: stood })[0]).toContain('the daemon is away for 5 s, waiting')
  expect(text({ board: stood }).join('\n')).toContain('shop-api')
  const one = { type: 'all' as const, daemon: 'e', agents: [agent(3)], runs: [], happenings: [] }
  stood.take({ ...one, inbox: { questions: [], mutedUntil: null, bell: false } })
  expect(text({ board: stood })[0]).toMatch(/^ rehoboam {3}nothing needs you {3}1 waiting/)
})

test('the numbers of a board that changes are those of one that is made anew [tui-away]', () => {
  const changing = board(60)
  for (let n = 0; n < 60; n++) {
    const status = (['attention', 'done', 'working', 'waiting'] as const)[n % 4]!
    const changed = { type: 'changed' as const, left: n % 7 ? [] : [agent(n + 1).session], runs: [], inbox: null }
    changing.take({ ...changed, agents: [agent(n, { status, since: null })], happenings: [], omitted: 0 })
  }
  const anew = board(0)
  const inbox = changing.inbox
  anew.take({ type: 'all', daemon: '', agents: [...changing.agents.values()], runs: [], inbox, happenings: [] })
  expect(changing.allAgents().map(({ session }) => session)).toEqual(anew.allAgents().map(({ session }) => session))
  for (const status of ['attention', 'done', 'working', 'waiting'] as const) {
    expect(changing.count(status)).toBe([...changing.agents.values()].filter(one => one.status === status).length)
  }
})

test('the chosen question is shown to its last character, wherever that is [tui-answers]', () => {
  const long = question(0, { text: `Bash: ${'echo something long; '.repeat(200)}rm -rf /tmp/end` })
  const stood = board(1)
  stood.take({
    type: 'changed',
    agents: [],
    left: [],
    runs: [],
    inbox: { questions: [long], mutedUntil: null, bell: false },
    happenings: [],
    omitted: 0,
  })
  const inbox = text({ board: stood, ui: { ...AT_FIRST, views: [{ name: 'inbox' }] } }, SIZES[0]!)
  expect(inbox.join('\n')).toMatch(/more lines: enter shows all of it/)
  const page = {
    ...AT_FIRST,
    views: [{ name: 'question' as const, id: long.id }],
    scrolls: { [`question ${long.id}`]: 9_999 },
  }
  expect(text({ board: stood, ui: page }, SIZES[0]!).join('\n')).toContain('rm -rf /tmp/end')
})

test('of a picture only the lines that differ are written, nothing when none does, and no byte beside [tui-screens]', () => {
  const written: string[] = []
  const stdout = {
    writableNeedDrain: false,
    write: (bytes: string) => written.push(bytes),
  } as unknown as NodeJS.WriteStream
  const canvas = new Canvas(stdout)
  const never = () => expect.unreachable()
  for (const { ui } of everyUi()) canvas.show(text({ ui }, SIZES[0]!), never)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  const known = /\u001b\[\?2026[hl]|\u001b\[2J|\u001b\[\d+;1H\u001b\[2K/g
  expect(written.join('').replace(known, '')).not.toMatch(CONTROLS)
  written.length = 0
  const lines = ['one', 'two', 'three']
  canvas.forget()
  canvas.show(lines, never)
  canvas.show([...lines], never)
  canvas.show(['one', 'new', 'three'], never)
  expect(written.map(bytes => bytes.includes('three'))).toEqual([true, false])
  expect(written[1]).toContain('\u001b[2;1H\u001b[2Knew')
})
