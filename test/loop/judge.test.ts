import { describe, expect, test } from 'vitest'
import { judgeHeuristically } from '../../src/core/judge/judge-heuristic.ts'
import fc from '../support/laws.ts'
import { confusion, judgedNegations, judgedSet } from './confusion.ts'
import { hostile } from './hostile.ts'
import { judgeCases } from './judge-cases/all-cases.ts'
import { negations } from './judge-cases/negations.ts'

describe('over the labelled set [loop-judge-set]', () => {
  const cases = judgedSet()
  const told = ({ name, label, verdict, because }: (typeof cases)[number]) =>
    `${name}: ${label} -> ${verdict}: ${because}`

  test('the set is big enough to say anything, and no case is in it twice', () => {
    expect(cases.length).toBeGreaterThanOrEqual(150)
    expect(new Set(judgeCases.map(({ name }) => name)).size).toBe(cases.length)
    expect(new Set(judgeCases.map(({ lastMessage, progressAfter }) => lastMessage + progressAfter)).size).toBe(
      cases.length,
    )
  })

  test('nothing is judged complete that is not', () => {
    const wrong = cases.filter(({ label, verdict }) => verdict === 'complete' && label !== 'complete')
    expect(wrong.map(told)).toEqual([])
  })

  test('at least 80% of the true ends are found', () => {
    const { complete = {} } = confusion(cases)
    const all = cases.filter(({ label }) => label === 'complete').length
    expect((complete.complete ?? 0) / all).toBeGreaterThanOrEqual(0.8)
  })

  test('less than 2% of what goes on, waits or is complete is judged stalled', () => {
    const others = cases.filter(({ label }) => label !== 'stalled')
    const wrong = others.filter(({ verdict }) => verdict === 'stalled')
    expect(wrong.length / others.length, wrong.map(told).join('\n')).toBeLessThan(0.02)
  })

  test('most of those that stand still or wait for a person are found, and not taken for each other', () => {
    for (const label of ['stalled', 'blocked'] as const) {
      const mine = cases.filter(one => one.label === label)
      expect(mine.filter(({ verdict }) => verdict === label).length / mine.length).toBeGreaterThanOrEqual(0.8)
      const other = label === 'stalled' ? 'blocked' : 'stalled'
      expect(mine.filter(({ verdict }) => verdict === other).map(told)).toEqual([])
    }
  })
})

test.for(Object.keys(negations))('a true claim under "%s" is never judged complete [loop-judge-negations]', name => {
  const wrong = judgedNegations(name).filter(({ verdict }) => verdict === 'complete')
  expect(wrong.map(one => `${one.name}: ${one.because}`)).toEqual([])
})

test('a verdict that ends something quotes the sentence that decided [loop-judge-reason]', () => {
  const heard = { progressGained: '', anchor: 'Write a parser.' }
  expect(judgeHeuristically({ ...heard, lastMessage: 'I looked at it.\n\n**All tasks are completed.** Bye.' })).toEqual(
    {
      verdict: 'complete',
      because: 'all tasks are completed.',
    },
  )
  const { verdict, because } = judgeHeuristically({ ...heard, lastMessage: `I'm stuck on ${'x'.repeat(400)}.` })
  expect(verdict).toBe('stalled')
  expect(because.length).toBeLessThanOrEqual(300)
})

test('a request beside a claim is advice; a request alone waits for a person [loop-judge-set]', () => {
  const verdictOf = (lastMessage: string) =>
    judgeHeuristically({ lastMessage, progressGained: '', anchor: 'Write a parser.' }).verdict
  expect(verdictOf('All tasks are completed. Please run `npm ci` once.')).toBe('complete')
  expect(verdictOf('The parser is half written. Please run `npm login` for me.')).toBe('blocked')
})

describe('hostile text [loop-judge-hostile]', () => {
  const word = fc.constantFrom(
    ...['all', 'tasks', 'are', 'completed', 'any further ', 'progress', 'stuck on', '\n', '. ', '`', '```', '"', "'"],
    ...['not', '3 of 7', '**', '- [ ] ', '> ', '# ', '|', 'waiting for your', '\u001b[31m', '\ud800', '：', '🎉'],
  )
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(word, { maxLength: 80 }).map(words => words.join('')),
  )

  test('no text makes it throw, and its reason stays short', () => {
    fc.assert(
      fc.property(text, text, text, (lastMessage, progressGained, anchor) => {
        const { because } = judgeHeuristically({ lastMessage, progressGained, anchor })
        expect(because.length).toBeLessThanOrEqual(300)
      }),
      { numRuns: 500 },
    )
  })

  // Without an end in sight a pattern that goes back and forth would meet the deadline of the test, whatever the machine.
  test.for(hostile)('%j until the limit is judged', scrap => {
    for (const length of [599, 199_000]) {
      const lastMessage = scrap.repeat(Math.ceil(length / scrap.length)).slice(0, length)
      expect(judgeHeuristically({ lastMessage, progressGained: '', anchor: lastMessage }).verdict).not.toBe('complete')
    }
  })

  test('what is too long to be read is continue, whatever it says', () => {
    const lastMessage = `${'word '.repeat(300_000)}\n\nAll tasks are completed.`
    expect(judgeHeuristically({ lastMessage, progressGained: '', anchor: '' }).verdict).toBe('continue')
  })

  test('a claim beside a sentence that is too long to be read is continue', () => {
    const lastMessage = `${'word '.repeat(200)}\n\nAll tasks are completed.`
    expect(judgeHeuristically({ lastMessage, progressGained: '', anchor: '' }).verdict).toBe('continue')
  })
})
