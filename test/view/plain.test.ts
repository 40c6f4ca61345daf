import { describe, expect, test } from 'vitest'
import { plainBlock, plainJson, plainLine } from '../../src/view/plain.ts'
import fc from '../support/laws.ts'

const HOSTILE: [what: string, text: string, block: string][] = [
  ['a colour', 'a\x1b[31mred\x1b[0mb', 'aredb'],
  ['a cursor that moves up and overwrites', 'rm -rf /\x1b[1A\x1b[2Kls', 'rm -rf /ls'],
  ['a control sequence with intermediate bytes', 'a\x1b[?25 qb', 'ab'],
  ['a control sequence without an end', 'a\x1b[31', 'a'],
  ['a window title', 'a\x1b]0;owned\x07b', 'ab'],
  ['a title that ends with ST', 'a\x1b]2;owned\x1b\\b', 'ab'],
  ['a title that never ends', 'a\x1b]0;owned\nb', 'a\nb'],
  ['a link', '\x1b]8;;http://evil\x1b\\click\x1b]8;;\x1b\\', 'click'],
  ['the clipboard', '\x1b]52;c;cm0gLXJm\x07paste', 'paste'],
  ['a device control string', 'a\x1bP$q"p\x1b\\b', 'ab'],
  ['an application command', 'a\x1b_Gf=100\x1b\\b', 'ab'],
  ['a privacy message and a start of string', 'a\x1b^x\x1b\\\x1bXy\x1b\\b', 'ab'],
  ['a reset of the terminal', 'a\x1bcb', 'ab'],
  ['another character set', 'a\x1b(0lqk\x1b(Bb', 'alqkb'],
  ['a lone escape', 'a\x1b', 'a'],
  ['escapes inside escapes', '\x1b\x1b[\x1b]0;x\x07[31mz', '[31mz'],
  ['eight-bit control sequences', 'a\x9b31mb\x9d0;t\x9cc\x90q\x9cd', 'abcd'],
  ['a carriage return that overwrites', 'all good\rEVIL', 'all good\nEVIL'],
  ['the line ends of Windows', 'a\r\nb', 'a\nb'],
  ['backspaces', 'safe\b\b\b\bevil', 'safeevil'],
  ['a bell, a zero and a delete', 'a\x07\0\x7fb', 'ab'],
  ['a vertical tab and a form feed', 'a\x0b\x0cb', 'ab'],
  ['a tab', 'a\tb', 'a  b'],
  ['text turned around', 'user\u202e\u2066gnp.exe\u2069', 'usergnp.exe'],
  ['marks of direction', 'a\u200e\u200f\u061cb', 'ab'],
  ['characters of no width', 'pass\u200b\u2060\ufeffword', 'password'],
  ['soft hyphens and fillers', 'a\u00ad\u034f\u3164\u{e0100}b', 'ab'],
  ['a message hidden in tags', 'hi\u{e0041}\u{e0042}', 'hi'],
  ['separators of lines and paragraphs', 'a\u2028b\u2029c', 'a\nb\nc'],
  ['halves of characters', 'a\ud800b\udc00', 'a\ufffdb\ufffd'],
  ['a family, a heart, a flag', '👨‍👩‍👧 ❤️ 🇩🇪', '👨‍👩‍👧 ❤️ 🇩🇪'],
  [
    'letters of all the world',
    'Ærø ñandú Ελλάδα 日本語 한국어 עברית हिन्दी',
    'Ærø ñandú Ελλάδα 日本語 한국어 עברית हिन्दी',
  ],
]

/** Whatever could reach a terminal: any characters, with the dangerous ones far more often than chance would. */
const nasty = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\x1b',
        '\x1b[',
        '\x1b]',
        '\x1bP',
        '\x9b',
        '\x9d',
        '\x07',
        '\x1b\\',
        '\r',
        '\n',
        '\t',
        '\b',
        '\0',
      ),
      fc.constantFrom(
        '\u202e',
        '\u200b',
        '\u2066',
        '\u2028',
        '\ud83d',
        '\udc68',
        '\u{e0061}',
        ';',
        '31m',
        '\u200d',
        'é',
      ),
      fc.string({ unit: 'binary', maxLength: 5 }),
      fc.integer({ min: 0, max: 0xffff }).map(code => String.fromCharCode(code)),
    ),
    { maxLength: 60 },
  )
  .map(parts => parts.join(''))

const CONTROL = /[\p{Cc}--\n]/v
const TURNS_OR_HIDES = /[\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/v

describe('text that is not ours', () => {
  test.for(HOSTILE)('%s comes out as text and nothing else [view-plain-text]', ([, text, block]) => {
    expect(plainBlock(text)).toBe(block)
    expect(plainLine(text)).toBe(block.replace(/\s+/g, ' ').trim())
  })

  test('no control byte but a newline comes out, and nothing that hides or turns text [view-plain-text]', () => {
    fc.assert(
      fc.property(nasty, text => {
        const block = plainBlock(text)
        expect(block).not.toMatch(CONTROL)
        expect(block).not.toMatch(TURNS_OR_HIDES)
        expect(block.isWellFormed()).toBe(true)
        expect(plainBlock(block)).toBe(block)
        expect(block.length).toBeLessThanOrEqual(text.length * 2)
      }),
      { numRuns: 2000 },
    )
  })

  test('a line is one line, and no longer than asked [view-plain-text]', () => {
    fc.assert(
      fc.property(nasty, fc.integer({ min: 1, max: 40 }), (text, longest) => {
        const line = plainLine(text, longest)
        expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/v)
        expect([...line].length).toBeLessThanOrEqual(longest)
        expect(line).toBe(line.trim())
      }),
      { numRuns: 2000 },
    )
  })

  test('a line that was cut says so [view-plain-text]', () => {
    expect(plainLine('abcdef', 6)).toBe('abcdef')
    expect(plainLine('abcdefg', 6)).toBe('abcde…')
    expect(plainLine('👍'.repeat(7), 6)).toBe('👍👍👍👍👍…')
    expect(plainLine('x'.repeat(50_000_000))).toBe(`${'x'.repeat(199)}…`)
  })
})

describe('JSON for a terminal', () => {
  test('holds the same data, with nothing in it that a terminal could obey [view-plain-text]', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), nasty, fc.boolean(), (value, text, indented) => {
        const json = plainJson({ value, [text]: text }, indented ? 2 : undefined)
        expect(json).not.toMatch(indented ? CONTROL : /\p{Cc}/v)
        expect(json).not.toMatch(TURNS_OR_HIDES)
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify({ value, [text]: text })))
      }),
      { numRuns: 1000 },
    )
  })

  test('without an indent is one line [view-plain-text]', () => {
    expect(plainJson({ a: 'x\n\u2028\u202e\x9b' })).toBe('{"a":"x\\n\\u2028\\u202e\\u009b"}')
  })
})
