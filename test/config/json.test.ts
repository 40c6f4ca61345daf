import { getNodeValue } from 'jsonc-parser'
import { expect, test } from 'vitest'
import { placeOf, readJson } from '../../src/config/json-read.ts'
import fc from '../support/laws.ts'

function native(text: string): { value: unknown } | 'refused' {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return 'refused'
  }
}

function ours(text: string): { value: unknown } | 'refused' {
  const read = readJson(text)
  return 'fault' in read ? 'refused' : { value: getNodeValue(read.root) }
}

test('our reader accepts what JSON.parse accepts, refuses what it refuses, and reads the same value [config-json-place]', () => {
  const space = fc.constantFrom(undefined, 2, '\t')
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), space, (text, indent) => {
      const laidOut = JSON.stringify(JSON.parse(text), null, indent)
      expect(ours(laidOut)).toEqual(native(laidOut))
    }),
  )
  // Almost JSON: pieces thrown together, and whole texts with a slip in them.
  const pieces = ['{', '}', '[', ']', ',', ':', '"a"', '"', '\\', '\\u00e9', '0', '-1', '.5', '1e', 'true', 'null', 'nul', ' ', '\n', '__proto__', '"__proto__"', "'", '//', '\u00a0', '\u2028', '\u0000'] // biome-ignore format: one list
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), parts => {
      const text = parts.join('')
      expect(ours(text)).toEqual(native(text))
    }),
    { numRuns: 3000 },
  )
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.constantFrom(...pieces, ''), (text, seed, piece) => {
      const at = seed % (text.length + 1)
      const slip = text.slice(0, at) + piece + text.slice(at + 1)
      expect(ours(slip)).toEqual(native(slip))
    }),
    { numRuns: 3000 },
  )
})

test('what is not JSON is told with its line and column, and what to do about it [config-json-place]', () => {
  const told = (text: string) => {
    const read = readJson(text)
    if (!('fault' in read)) return 'accepted'
    const { line, column } = placeOf(text, read.fault.at)
    return `${line}:${column} ${read.fault.sentence}`
  }
  expect(told('{\n  // mine\n  "model": "x"\n}')).toBe(
    '2:3 comments are not possible: the file is plain JSON; delete the comment',
  )
  expect(told('# mine\n{}')).toContain('1:1 comments are not possible')
  expect(told('{"a": 1, /* no */ "b": 2}')).toContain('1:10 comments are not possible')
  expect(told('{\r\n  "a": 1,\r\n}')).toBe('2:9 the comma before } is one too many')
  expect(told('{"a": [1, 2,]}')).toBe('1:12 the comma before ] is one too many')
  expect(told('{"é😀": oops}')).toBe('1:8 "oops" is not valid JSON; text must be in double quotes')
  expect(told("{'a': 1}")).toBe('1:2 text must be in double quotes, not in single quotes')
  expect(told('{a: 1}')).toBe('1:2 a name in double quotes was expected')
  expect(told('{"a" 1}')).toBe('1:6 a colon was expected after "a"')
  expect(told('{"a": 1 "b": 2}')).toBe('1:9 a comma or } was expected')
  expect(told('{"a": 1')).toBe('1:8 the file ends too early: a bracket or a quote is not closed')
  expect(told('{"a": "x\n}')).toContain('1:9 a line break, tab or control character')
  expect(told('{"a": "x')).toBe('1:7 the quote that opens here is never closed')
  expect(told('{"a": "\\q"}')).toContain('1:7 a backslash')
  expect(told('{} {}')).toBe('1:4 something stands after the end')
  expect(told('\ufeff{,}')).toBe('1:2 a name in double quotes was expected')
})

test('a megabyte of brackets, digits or quotes is refused or read without exhausting anything [config-json-place]', () => {
  const size = 1024 * 1024
  for (const text of [
    '['.repeat(size),
    '{"a":'.repeat(size / 5),
    '"'.repeat(size),
    '\\'.repeat(size),
    '1'.repeat(size),
  ]) {
    readJson(text)
  }
  expect(readJson('['.repeat(size))).toMatchObject({ fault: { sentence: expect.stringContaining('nested deeper') } })
})
