import { expect, test } from 'vitest'
import { type Claimed, endSentence, whyUnproven } from '../../src/core/run-worth.ts'

const SAID = 'an agent said the stop word'
const claimed = (change: Partial<Claimed>) => {
  const claim: Claimed = { status: 'complete', cause: 'stop-word', proven: false, hasChecks: true, isTampered: false }
  return { ...claim, ...change, cause: change.cause ?? ('stop-word' as const) }
}

test.each([
  [{ proven: true }, null, `${SAID}, and the checks are green`],
  [{ proven: true, hasChecks: false }, null, `${SAID}, and every criterion is met`],
  [{ isTampered: true }, 'checks-changed', `the checks were changed; ${SAID}`],
  [
    { isTampered: true, tampering: ['deleted', 'definition', 'skipped'] },
    'checks-changed',
    `the checks were changed (tests are gone, what they run or how, tests are left out); ${SAID}`,
  ],
  [{ hasChecks: false }, 'no-checks', `there are no checks; ${SAID}`],
  [{}, 'no-git', `without git green checks are no proof; ${SAID}`],
  [{ cause: 'merged', isTampered: true }, 'checks-changed', 'the checks were changed; every task is merged'],
  [{ cause: 'base-still-red' }, 'old-reds', 'it claims to be done; the checks that still fail failed before it began'],
  [
    { status: 'stalled', proven: null, cause: 'same-end' },
    null,
    'five iterations ended with the same words and nothing moved',
  ],
  [{ status: 'blocked', proven: null, cause: 'waits-for-person' }, null, 'an agent says that it waits for a person'],
] as const)('an end says what its claim is worth: %j [loop-worth]', (change, why, sentence) => {
  const claim = claimed(change as Partial<Claimed>)
  expect([whyUnproven(claim), endSentence(claim)]).toEqual([why, sentence])
})
