import { expect, test } from 'vitest'
import { judgeUnheard, NEVER_LOOKED, type PaneLook } from '../../src/core/agent/unheard.ts'

const BLANK = { is: 'blank' } as const
const TRUST = { is: 'dialog', words: 'trust?' } as const
const BYPASS = { is: 'dialog', words: 'bypass?' } as const

/** What is asked after each of these looks; times in seconds. */
function asked(...looks: [number, PaneLook['screen'], ('works' | 'hooked')?][]) {
  let unheard = NEVER_LOOKED
  return looks.map(([seconds, screen, more]) => {
    const look = { at: seconds * 1000, screen, works: more !== undefined, isHooked: more === 'hooked' }
    unheard = judgeUnheard(unheard, look)
    return unheard.asks
  })
}

test('ten seconds in one dialog are a question, another dialog begins anew [pane-unheard-patience]', () => {
  expect(asked([1, TRUST], [10, TRUST], [11, TRUST], [12, TRUST])).toEqual([null, null, 'dialog', 'dialog'])
  expect(asked([1, TRUST], [11, BYPASS], [20, BYPASS], [21, BYPASS])).toEqual([null, null, null, 'dialog'])
  expect(asked([1, { is: 'other' }], [11, { is: 'other' }])).toEqual([null, 'dialog'])
})

test('a pane in which nothing is drawn yet has longer [pane-unheard-patience]', () => {
  expect(asked([0, BLANK], [11, BLANK], [29, BLANK], [30, BLANK])).toEqual([null, null, null, 'dialog'])
})

test('one that works has ten seconds for its first hook, and a hook ends it all [pane-unheard-patience]', () => {
  expect(asked([0, BLANK], [9, BLANK, 'works'], [18, BLANK, 'works'], [19, BLANK, 'works'])).toEqual([null, null, null, 'hooks']) // biome-ignore format: one line
  expect(asked([0, TRUST], [10, TRUST], [11, TRUST, 'works'])).toEqual([null, 'dialog', null])
  expect(asked([0, BLANK, 'works'], [20, BLANK, 'hooked'])).toEqual([null, null])
})
