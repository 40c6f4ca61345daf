import { expect, test } from 'vitest'
import { judgeUnheard, NEVER_LOOKED, type PaneLook } from '../../src/core/agent/unheard.ts'

const BLANK = { is: 'blank' } as const
const TRUST = { is: 'dialog', words: 'trust?' } as const
const BYPASS = { is: 'dialog', words: 'bypass?' } as const

/** What is asked after each of these looks; times in seconds. */
function asked(...looks: [number, PaneLook['screen'], ('works' | 'hooked')?][]) {
  let unheard = NEVER_LOOKED
  return looks.map(([seconds, screen, more]) => {
    const look = { at: seconds * 1000, startedAt: 0, screen, works: more !== undefined, isHooked: more === 'hooked' }
    unheard = judgeUnheard(unheard, look)
    return unheard.asks
  })
}

test('a dialog is a question within ten seconds of the start, once it was seen for two; another one begins anew [pane-trust]', () => {
  expect(asked([1, TRUST], [7, TRUST], [8, TRUST], [9, TRUST])).toEqual([null, null, 'dialog', 'dialog'])
  expect(asked([7, TRUST], [8, TRUST], [9, TRUST])).toEqual([null, null, 'dialog'])
  expect(asked([1, TRUST], [11, BYPASS], [12, BYPASS], [13, BYPASS])).toEqual([null, null, null, 'dialog'])
})

test('a screen that shows neither a dialog nor work has ten seconds from when it is seen [pane-trust]', () => {
  const other = { is: 'other' } as const
  expect(asked([3, other], [12, other], [13, other])).toEqual([null, null, 'dialog'])
})

test('a pane in which nothing is drawn yet has longer [pane-trust]', () => {
  expect(asked([0, BLANK], [11, BLANK], [29, BLANK], [30, BLANK])).toEqual([null, null, null, 'dialog'])
})

test('one that works has ten seconds for its first hook, and a hook ends it all [pane-trust]', () => {
  expect(asked([0, BLANK], [9, BLANK, 'works'], [18, BLANK, 'works'], [19, BLANK, 'works'])).toEqual([null, null, null, 'hooks']) // biome-ignore format: one line
  expect(asked([0, TRUST], [10, TRUST], [11, TRUST, 'works'])).toEqual([null, 'dialog', null])
  expect(asked([0, BLANK, 'works'], [20, BLANK, 'hooked'])).toEqual([null, null])
})
