import { expect, test } from 'vitest'
import { criteriaOf } from '../../src/core/judge/criteria.ts'
import { gainedIn } from '../../src/core/judge/gained.ts'
import { claimsIn } from '../../src/core/judge/stop-word.ts'
import { foldEnd, foldError } from '../../src/core/loop/fold.ts'
import { hostile } from './hostile.ts'

const texts = (anchor: string) => criteriaOf(anchor).map(({ id, text }) => `${id} ${text}`)

test('every box is a criterion, in its order, ticked or not [loop-criteria]', () => {
  const anchor = '# Task\n\n- [ ] one\n* [x] two\n  - [ ] two and a half\n1. [ ] three\n2) [X] four\n+ [ ] five\n'
  expect(texts(anchor)).toEqual(['C1 one', 'C2 two', 'C3 two and a half', 'C4 three', 'C5 four', 'C6 five'])
})

test('a criterion goes on in the lines below it [loop-criteria]', () => {
  expect(texts('- [ ] one\n  and more\n- [ ] two\n\nA paragraph.')).toEqual(['C1 one and more', 'C2 two'])
})

test('boxes in code, quotes and headings, and items without a box are none [loop-criteria]', () => {
  const anchor =
    'x\n```\n- [ ] code\n```\n> - [ ] quoted\n# - [ ] title\n- plain\n- [link](x)\n- [ ]\n\nFor example:\n\n    - [ ] indented\n\n- [ ] real'
  expect(texts(anchor)).toEqual(['C1 real'])
})

test('without boxes the whole text is C1 [loop-criteria]', () => {
  expect(texts('Write a parser.\n\n1. fast\n2. small\n')).toEqual(['C1 Write a parser.\n\n1. fast\n2. small'])
  expect(texts('')).toEqual(['C1 '])
})

test('there are at most 200 criteria of 500 characters [loop-criteria] [loop-texts-bounded]', () => {
  const many = criteriaOf(`- [ ] ${'x'.repeat(9_000)}\n`.repeat(300))
  expect(many).toHaveLength(200)
  expect(Math.max(...many.map(({ text }) => text.length))).toBe(500)
  expect(criteriaOf('y'.repeat(1_000_000))[0]!.text).toHaveLength(4_000)
})

// A pattern that goes back and forth on a megabyte would meet the deadline of the test, on any machine.
test.for(hostile)('a megabyte of %j is read to its end [loop-texts-bounded]', scrap => {
  const text = scrap.repeat(Math.ceil(1_000_000 / scrap.length))
  expect(criteriaOf(text).length).toBeLessThanOrEqual(200)
  expect(foldError(text).length).toBeLessThanOrEqual(200)
  expect(foldEnd(text).length).toBeLessThanOrEqual(2_003)
  expect(claimsIn({ lastMessage: text, progressGained: text, stopWord: 'DONE' })).toBe(null)
  expect(gainedIn(text, `x${text}`).length).toBeLessThanOrEqual(text.length + 1)
})
