import { expect, test } from 'vitest'
import type { Requirement } from '../requirements/requirement.ts'
import { citedIn } from './citation.ts'
import { judge, type RanTest } from './judge.ts'

const promises = [
  { id: 'journal-torn-line', where: 'quests', promise: 'A torn last line is dropped and said.' },
  { id: 'journal-order', where: 'architecture', promise: 'Events are read in the order of their numbers.' },
]

const ran = (title: string, more: Partial<RanTest> = {}): RanTest => ({
  file: 'test/journal.test.ts',
  titles: [title],
  state: 'passed',
  expectedToFail: false,
  ...more,
})

const torn = ran('a torn line is dropped [journal-torn-line]')
const order = ran('in order [journal-order]')

function complaints(tests: RanTest[], { full = true, all = false, list = promises as Requirement[] } = {}): string[] {
  return judge(list, tests, { full, all }).flatMap(({ about, items }) => items.map(item => `${about}: ${item}`))
}

test.each([
  ['a torn line [journal-torn-line]', ['journal-torn-line']],
  ['two of them [journal-torn-line] [journal-order]', ['journal-torn-line', 'journal-order']],
  ['without a space [a-b][c-d] ', ['a-b', 'c-d']],
  ['[a-b] stands at the beginning', []],
  ['a list [1, 2]', []],
  ['one word [done]', []],
  ['an id among others [Not-One] [a-b]', ['a-b']],
  ['', []],
])('the title %j cites %j [gate-test-cites]', (title, ids) => {
  expect(citedIn(title)).toEqual(ids)
})

test('nothing is said when every promise has a passing test and every test a promise [gate-promise-tested]', () => {
  expect(complaints([torn, order])).toEqual([])
})

test('the title of a suite cites for all tests inside [gate-test-cites]', () => {
  const inside = ran('by number', { titles: ['the order [journal-order]', 'of many', 'by number'] })
  expect(complaints([torn, inside])).toEqual([])
})

test.each<[string, RanTest[], string]>([
  ['no test', [], 'no passing test cites: journal-order: Events are read'],
  ['a skipped test only', [{ ...order, state: 'skipped' }], 'no passing test cites: journal-order'],
  [
    'a test that is expected to fail only',
    [{ ...order, expectedToFail: true }],
    'no passing test cites: journal-order',
  ],
])('a promise with %s is named [gate-promise-tested]', (_, tests, says) => {
  expect(complaints([torn, ...tests]).join('\n')).toContain(says)
})

test('a promise whose test failed is not named again: the failure itself is red [gate-promise-tested]', () => {
  expect(complaints([torn, { ...order, state: 'failed' }])).toEqual([])
})

test('a promise that only test:all proves is asked for in test:all alone [gate-proven-by-all]', () => {
  const list: Requirement[] = [promises[0]!, { ...promises[1]!, provenBy: 'test:all' }]
  expect(complaints([torn], { list })).toEqual([])
  expect(complaints([torn], { list, all: true }).join('\n')).toContain('no passing test cites: journal-order')
  expect(complaints([torn, { ...order, file: 'test/journal.all.test.ts' }], { list, all: true })).toEqual([])
})

test('a mark on a promise that npm test proves is named [gate-proven-by-all]', () => {
  const list: Requirement[] = [promises[0]!, { ...promises[1]!, provenBy: 'test:all' }]
  expect(complaints([torn, order], { list }).join('\n')).toContain('remove the mark): journal-order')
})

test.each<[string, RanTest, string]>([
  [
    'cites nothing',
    ran('in order'),
    'cite no promise (end the title with [its-id], see CONTRIBUTING.md): test/journal',
  ],
  ['cites an unknown id', ran('in order [journal-odour]'), 'not in test/requirements/: journal-odour: test/journal'],
  ['cites a known and an unknown id', ran('x [journal-order] [journal-odour]'), 'journal-odour'],
])('a test that %s is named [gate-test-cites]', (_, wrong, says) => {
  expect(complaints([torn, order, wrong]).join('\n')).toContain(says)
})

test.each<[string, Partial<RanTest>, string]>([
  ['was skipped or is left to do', { state: 'skipped' }, 'skipped or never finished: test/journal.test.ts > late'],
  ['never finished', { state: 'pending' }, 'skipped or never finished: test/journal.test.ts > late'],
  ['is expected to fail', { expectedToFail: true }, 'prove nothing: test/journal.test.ts > late'],
])('a test that %s is named [gate-nothing-skipped]', (_, how, says) => {
  expect(complaints([torn, order, ran('late [journal-order]', how)]).join('\n')).toContain(says)
})

test('an id that is listed twice is named [gate-double-id]', () => {
  expect(complaints([torn, order], { list: [...promises, promises[0]!] })).toEqual([
    'promises listed twice: journal-torn-line: A torn last line is dropped and said. (quests)',
  ])
})

test('an id that no title can cite is named [gate-double-id]', () => {
  const odd = { id: 'Journal', where: 'quests', promise: 'It is there.' }
  expect(complaints([torn, order], { list: [...promises, odd], full: false }).join('\n')).toContain(
    'Journal: It is there.',
  )
})

test('a run of some tests asks for no other promises, but for citations, runs and known ids [gate-partial-run]', () => {
  expect(complaints([torn], { full: false })).toEqual([])
  expect(complaints([torn, ran('x'), ran('y [z-z]', { state: 'skipped' })], { full: false })).toHaveLength(3)
})
