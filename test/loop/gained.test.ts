import { expect, test } from 'vitest'
import { gainedIn } from '../../src/core/judge/gained.ts'
import fc from '../support/laws.ts'

test('what was appended is what was gained [loop-progress-gained]', () => {
  expect(gainedIn('a\n', 'a\nb\n')).toBe('b\n')
  expect(gainedIn('', 'b\n')).toBe('b\n')
  expect(gainedIn('a', 'a\nb')).toBe('\nb')
  expect(gainedIn('a\n', 'a\n')).toBe('')
})

test('a line that grew is new as a whole [loop-progress-gained]', () => {
  expect(gainedIn('all tasks', 'all tasks completed')).toBe('all tasks completed')
})

test('in a file that was rewritten, old lines that moved or were tidied are not new [loop-progress-gained]', () => {
  const before = '# Progress\n- [ ] parser\n- printer is done\n'
  const after = '# What happened\n* **Printer** is done\n- [x] parser\n- tests are written\n'
  expect(gainedIn(before, after)).toBe('# What happened\n- tests are written')
})

test('a line that stands there once more is new once [loop-progress-gained]', () => {
  expect(gainedIn('x\nall done\n', 'y\nall done\nall done\n')).toBe('y\nall done')
})

test('code stays code, whatever was known of it [loop-progress-gained]', () => {
  expect(gainedIn('x\n```\nold\n```\n', 'y\n```\nold\nnew\n```\n')).toBe('y\n```\nnew\n```')
  expect(gainedIn('x\n```sh\n', 'x\n```sh\nall tasks completed\n')).toBe('```\nall tasks completed\n')
})

test('nothing is gained from the lines that were there, in any order [loop-progress-gained]', () => {
  const line = fc.stringMatching(/^[a-z ]{1,12}$/)
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 20 }), lines => {
      const shuffled = lines.toReversed()
      // Reversed it may begin as before; what is then appended is known lines only if nothing is.
      fc.pre(!`${shuffled.join('\n')}\n`.startsWith(`${lines.join('\n')}\n`))
      expect(gainedIn(`${lines.join('\n')}\n`, `${shuffled.join('\n')}\n`).trim()).toBe('')
    }),
  )
})
