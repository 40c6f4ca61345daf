import { describe, expect, test } from 'vitest'
import { agoWords, costWords, durationWords, numberOf } from '../../src/view/words.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

describe('figures as people read them', () => {
  test.for([
    [-5, '0 ms'],
    [0, '0 ms'],
    [999, '999 ms'],
    [999.6, '1 s'],
    [1499, '1 s'],
    [59_499, '59 s'],
    [59_500, '1 m 00 s'],
    [61 * SECOND, '1 m 01 s'],
    [HOUR - SECOND, '59 m 59 s'],
    [HOUR, '1 h 00 m'],
    [47 * HOUR + 59 * MINUTE, '47 h 59 m'],
    [2 * DAY, '2 d 0 h'],
    [50 * HOUR, '2 d 2 h'],
    [400 * DAY, '400 d 0 h'],
  ] as const)('%i ms is %s [view-words]', ([ms, words]) => {
    expect(durationWords(ms)).toBe(words)
  })

  test.for([
    [-SECOND, '0 s ago'],
    [0, '0 s ago'],
    [59 * SECOND, '59 s ago'],
    [MINUTE, '1 m ago'],
    [HOUR - SECOND, '59 m ago'],
    [HOUR, '1 h ago'],
    [2 * DAY - SECOND, '47 h ago'],
    [2 * DAY, '2 d ago'],
  ] as const)('%i ms back is %s [view-words]', ([ms, words]) => {
    expect(agoWords(ms)).toBe(words)
  })

  test.for([
    [0, '0 turns'],
    [1, '1 turn'],
    [2, '2 turns'],
  ] as const)('%i of them are %s [view-words]', ([count, words]) => {
    expect(numberOf(count, 'turn')).toBe(words)
  })

  test.for([
    [0, '$0'],
    [0.00001, '<$0.0001'],
    [0.0032, '$0.0032'],
    [0.01, '$0.01'],
    [1.005, '$1.00'],
    [1234.5, '$1234.50'],
  ] as const)('%d dollars are %s [view-words]', ([usd, words]) => {
    expect(costWords(usd)).toBe(words)
  })
})
