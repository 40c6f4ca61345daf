import { describe, expect, test } from 'vitest'
import { rowWidth, textOf } from '../../src/tui/row.ts'
import { stepGraph } from '../../src/tui/step-graph.ts'
import fc from '../support/laws.ts'

const nodes = (edges: Record<string, string[]>) =>
  Object.entries(edges).map(([id, dependsOn]) => ({ id, dependsOn, label: [{ text: id }] }))
const drawn = (edges: Record<string, string[]>, columns = 100) =>
  stepGraph(nodes(edges), columns)?.rows.map(row => textOf(row).trimEnd())

describe('the steps of a quest as a graph', () => {
  test('lines of different steps have channels of their own; one that crosses another goes under it [tui-graph]', () => {
    expect(drawn({ aa: [], bb: [], cc: [], dd: ['cc'], ee: ['aa'], ff: ['bb'], gg: ['aa', 'cc'] })).toEqual([
      'aa────┬─ ee',
      'bb────│─ ff',
      'cc──┬─┴─ gg',
      '    └─── dd',
    ])
  })

  test('steps that wait for the same ones have one line together; a long line passes what it does not concern [tui-graph]', () => {
    expect(drawn({ aa: [], bb: [], cc: ['aa', 'bb'], dd: ['aa', 'bb'] })).toEqual(['aa──┐', 'bb──┼─ cc', '    └─ dd'])
    expect(drawn({ aa: [], bb: ['aa'], cc: ['bb', 'aa'] })).toEqual(['aa──┬─ bb──┐', '    └──────┴─ cc'])
  })

  test('a screen that is too narrow gets none: a list says the same [tui-graph]', () => {
    const long = {
      'a-long-name-of-a-step': [],
      'another-long-name': ['a-long-name-of-a-step'],
      c: ['another-long-name'],
    }
    expect(drawn(long, 40)).toBeUndefined()
    expect(drawn(long, 60)).toBeDefined()
  })

  test('whatever depends on whatever: from each step the lines lead to all that wait for it, within the width [tui-graph]', () => {
    fc.assert(
      fc.property(someSteps, edges => {
        const graph = stepGraph(nodes(edges), 400)!
        const rows = graph.rows.map(textOf)
        expect(new Set(graph.rows.map(rowWidth)).size).toBe(1)
        for (const [id, dependsOn] of Object.entries(edges)) {
          for (const before of dependsOn)
            expect(reached(rows, before), `${before} to ${id}\n${rows.join('\n')}`).toContain(id)
        }
      }),
    )
  })
})

/** Up to nine steps, each behind some of those before it. */
const someSteps = fc
  .array(fc.array(fc.nat(8), { maxLength: 3 }), { minLength: 1, maxLength: 9 })
  .map(list =>
    Object.fromEntries(
      list.map((before, n) => [`s${n}`, [...new Set(before.filter(one => one < n).map(one => `s${one}`))]]),
    ),
  )

const WAYS: Record<string, string> = {
  ...{ '─': 'lr', '│': 'ud', '┐': 'ld', '┘': 'lu', '┌': 'rd', '└': 'ru', '┬': 'lrd', '┴': 'lru' },
  ...{ '┤': 'udl', '├': 'udr', '┼': 'udlr' },
}
const STEPS: Record<string, [number, number, string]> = {
  r: [1, 0, 'l'],
  u: [0, -1, 'd'],
  d: [0, 1, 'u'],
}

/** The labels to which a reader comes who follows the lines from one to the right, and never back. */
function reached(rows: string[], from: string): string[] {
  const row = rows.findIndex(text => new RegExp(`${from}(?!\\d)`).test(text))
  const start = rows[row]!.indexOf(from) + from.length
  const found = new Set<string>()
  const seen = new Set<string>()
  const go = (x: number, y: number, came: string) => {
    const key = `${x},${y},${came}`
    if (seen.has(key)) return
    seen.add(key)
    const sign = rows[y]?.[x] ?? ''
    if (sign === ' ' && came === 'l') {
      const label = /^ (s\d)/.exec(rows[y]!.slice(x))
      if (label) found.add(label[1]!)
      else if (rows[y]![x + 1] === '─') go(x + 1, y, 'l')
      return
    }
    // Under a line that crosses, straight on.
    const ways = sign === '│' && came === 'l' ? 'r' : (WAYS[sign] ?? '')
    for (const way of ways) {
      const [dx, dy, back] = STEPS[way] ?? [0, 0, '']
      if (way !== came && back) go(x + dx, y + dy, back)
    }
  }
  go(start, row, 'l')
  return [...found]
}
