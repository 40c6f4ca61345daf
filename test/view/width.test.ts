import { describe, expect, test } from 'vitest'
import { table } from '../../src/view/run-words.ts'
import { widthOf } from '../../src/view/width.ts'
import fc from '../support/laws.ts'

describe('the width of a text', () => {
  test.for([
    ['', 0],
    ['rehoboam', 8],
    ['Ærø', 3],
    ['日本語', 6],
    ['한국어', 6],
    ['ｆｕｌｌ', 8],
    ['ﾊﾝｶｸ', 4],
    ['👍', 2],
    ['👨‍👩‍👧', 2],
    ['🇩🇪', 2],
    ['❤️', 2],
    ['❤', 1],
    ['e\u0301', 1],
    ['“quoted”…', 9],
    ['─┼→', 3],
    ['a\u200db', 2],
  ] as const)('%s is %i columns [view-words]', ([text, columns]) => {
    expect(widthOf(text)).toBe(columns)
  })

  test('is the sum of its parts, and never less than nothing [view-words]', () => {
    const words = fc.constantFrom('abc', '日本', '👍', 'é', '—', '한', ' ')
    fc.assert(
      fc.property(fc.array(words), parts => {
        expect(widthOf(parts.join(''))).toBe(parts.reduce((sum, part) => sum + widthOf(part), 0))
      }),
    )
  })
})

describe('a table', () => {
  test('has its columns under each other, whatever letters are in it [view-words]', () => {
    const lines = table(
      [
        ['run', 'project', 'cost'],
        ['a', '日本語', '$1'],
        ['bb', '👍 ok', '$10.00'],
        ['ccc', 'plain', ''],
      ],
      [2],
    )
    expect(lines).toEqual(['run  project    cost', 'a    日本語       $1', 'bb   👍 ok    $10.00', 'ccc  plain'])
    const at = (line: string, word: string) => widthOf(line.slice(0, line.indexOf(word) + word.length))
    expect(new Set([at(lines[0]!, 'cost'), at(lines[1]!, '$1'), at(lines[2]!, '$10.00')]).size).toBe(1)
  })

  test('of nothing is nothing, and a short row is no error [view-words]', () => {
    expect(table([])).toEqual([])
    expect(table([['a', 'b'], ['c']])).toEqual(['a  b', 'c'])
  })
})
