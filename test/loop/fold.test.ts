import { expect, test } from 'vitest'
import { foldEnd, foldError } from '../../src/core/loop/fold.ts'
import fc from '../support/laws.ts'

test.for([
  ['I ran 14 tests in 3.2 s.', 'I ran 9 tests in 11 s.'],
  ['Finished at 10:41:07.', 'Finished at 9:02:59.'],
  ['Nothing  to\n\ndo. ', 'nothing to do.'],
  ['\u001b[32mok\u001b[0m', 'ok'],
])('%j and %j are the same end [loop-same-end]', ([one, other]) => {
  expect(foldEnd(one!)).toBe(foldEnd(other!))
})

test('ends that differ in their words are different, also behind a long beginning [loop-same-end]', () => {
  expect(foldEnd('I fixed the parser.')).not.toBe(foldEnd('I fixed the printer.'))
  const long = 'word '.repeat(5_000)
  expect(foldEnd(`${long} parser`)).not.toBe(foldEnd(`${long} printer`))
})

test.for([
  ['ENOENT: no such file, open /tmp/a/b.ts', 'ENOENT: no such file, open /home/x/y z.ts'.replace(' z', 'z')],
  ['error TS2345 at src/a.ts:12:5', 'error TS2345 at src/deep/b.ts:7:44'],
  ['index.ts:12:5 failed', 'main.ts:9:1 failed'],
  ['commit 3f2a9bc not found', 'commit 99e0aa17d3 not found'],
  ['session 0b9c6c1e-6d0f-4c1e-9a53-111111111111 is gone', 'session 5e1f7f0a-0000-4abc-8def-222222222222 is gone'],
  ['timeout after 3000 ms', 'timeout after 41 ms'],
  ['GET https://a.example/x?y=1 failed', 'GET https://b.example/z failed'],
  ['TypeError: x is not a function\n    at f (/a/b.js:1:2)', 'TypeError: x is not a function\n    at g (/c.js:3:4)'],
])('%j and %j are one error [loop-error-key]', ([one, other]) => {
  expect(foldError(one!)).toBe(foldError(other!))
})

test('errors that say different things have different keys [loop-error-key]', () => {
  const errors = [
    'ENOENT: no such file, open /a',
    'EACCES: permission denied, open /a',
    'defaced facade',
    'TypeError: x',
    '',
  ]
  expect(new Set(errors.map(foldError)).size).toBe(errors.length)
})

test('no text makes folding throw or long, and folding an end twice changes nothing [loop-texts-bounded]', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 3_000 }), text => {
      expect(foldError(text).length).toBeLessThanOrEqual(200)
      expect(foldEnd(text).length).toBeLessThanOrEqual(2_003)
    }),
  )
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), text => {
      expect(foldEnd(foldEnd(text))).toBe(foldEnd(text))
    }),
  )
})
