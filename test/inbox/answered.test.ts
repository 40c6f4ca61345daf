import { expect, test } from 'vitest'
import {
  answeredWhenPromptLeft,
  judgeLook,
  type Look,
  NOT_WATCHED,
  type Watched,
} from '../../src/core/inbox/answered.ts'

test.each<[what: string, open: [id: string, agentId: string, askedAt: number][], closed: string[]]>([
  ['its own question', [['a', '', 5]], ['a']],
  ['one that was asked later', [['a', '', 15]], []],
  ['the question of its only subagent', [['a', 's1', 5]], ['a']],
  ['its own before a subagent’s', [['a', '', 5], ['b', 's1', 5]], ['a']], // biome-ignore format: one table
  ['none of two subagents’', [['a', 's1', 5], ['b', 's2', 5]], []], // biome-ignore format: one table
])('a prompt that left the screen closes %s [inbox-pane-answer]', (_, open, closed) => {
  const questions = open.map(([id, agentId, askedAt]) => ({ id, agentId, askedAt }))
  expect(answeredWhenPromptLeft(questions, 10)).toEqual(closed)
})

const LOOK: Look = { ageMs: 60_000, runs: false, note: null, screen: null }

function after(looks: Partial<Look>[]): boolean[] {
  let watched: Watched = NOT_WATCHED
  return looks.map(look => {
    const judged = judgeLook(watched, { ...LOOK, ...look })
    watched = judged.watched
    return judged.answered
  })
}

test.each<[what: string, looks: Partial<Look>[], answered: boolean[]]>([
  ['its command runs', [{ runs: true, note: 'waiting' }], [true]],
  ['seen, then not, twice', [{ screen: 'prompt' }, { screen: 'none' }, { screen: 'none' }], [false, false, true]],
  ['one bad picture', [{ screen: 'prompt' }, { screen: 'none' }, { screen: 'prompt' }], [false, false, false]],
  ['never seen on the screen', [{ screen: 'none' }, { screen: 'none' }, { screen: 'none' }], [false, false, false]],
  [
    'hidden, but the client waits',
    [{ screen: 'prompt' }, { note: 'waiting' }, { note: 'waiting' }],
    [false, false, false],
  ],
  [
    'answered before the hook came',
    [
      { note: 'other', screen: 'none' },
      { note: 'other', screen: 'none' },
    ],
    [false, true],
  ],
  [
    'just asked',
    [
      { note: 'other', ageMs: 1_000 },
      { note: 'other', ageMs: 1_500 },
    ],
    [false, false],
  ],
  ['nothing can be seen', [{}, {}, {}], [false, false, false]],
])('a look at an open question believes what is certain: %s [inbox-pane-answer]', (_, looks, answered) => {
  expect(after(looks)).toEqual(answered)
})
