import { expect, test } from 'vitest'
import { gainedIn } from '../../src/core/judge/gained.ts'
import { claimsIn } from '../../src/core/judge/stop-word.ts'

const said = (lastMessage: string, stopWord = 'DONE') => claimsIn({ lastMessage, progressGained: '', stopWord })

test.for([
  'DONE',
  'I did the last page.\n\nDONE',
  'I did the last page.\nDONE\nBye.',
  '  DONE  ',
  '**DONE**',
  '__DONE__',
  '**DONE.**',
  'DONE.',
  'DONE!',
  'All of it.\r\n\r\nDONE\r\n',
  '- a list\n\nDONE',
  '```\ncode\n```\nDONE',
  'Final status:\n\nDONE',
])('%j says the stop word [loop-stop-word]', text => {
  expect(said(text)).toBe('stop-word')
})

test.for([
  '<promise>DONE</promise>',
  'It is over. <promise>DONE</promise>',
  '**<promise> DONE </promise>**',
  'x\n<promise>DONE</promise>\n',
])('%j is a promise [loop-stop-word]', text => {
  expect(said(text)).toBe('promise')
})

test('a stop word of several words is said with any white space between them [loop-stop-word]', () => {
  expect(said('PLANNING  COMPLETE', 'PLANNING COMPLETE')).toBe('stop-word')
  expect(said('PLANNING', 'PLANNING COMPLETE')).toBe(null)
})

test.for([
  ['a heading', '## DONE'],
  ['an underlined heading', 'DONE\n===='],
  ['a code block', '```\nDONE\n```'],
  ['a code block that never ends', '```sh\necho\n\nDONE'],
  ['a longer fence around a shorter one', '````\n```\nDONE\n```\nDONE\n````'],
  ['tildes around it', '~~~\nDONE\n~~~'],
  ['an indented block', 'Run:\n\n    DONE\n'],
  ['inline code', '`DONE`'],
  ['a quote', '> DONE'],
  ['a quote in a list', '- > DONE'],
  ['a list', '- DONE\n- DONE too'],
  ['a box', '- [x] DONE'],
  ['a table', '| DONE |\n|---|'],
  ['quotation marks', '"DONE"'],
  ['a sentence', 'I will say DONE at the end.'],
  ['another word', 'UNDONE'],
  ['another word behind it', 'DONENESS'],
  ['a hyphenated word', 'DONE-ish'],
  ['other capitals', 'done'],
  ['a reserve', 'DONE, mostly'],
  ['a negation', 'NOT DONE'],
  ['a question', 'DONE?'],
  ['the instruction repeated', 'When all is finished, write this line:\n\nDONE'],
  ['a planned promise', 'I will write <promise>DONE</promise> later'],
  ['a promise as the end of a plan', 'At the end I write <promise>DONE</promise>'],
  ['a promise in code', '`<promise>DONE</promise>`'],
  ['a promise in a block', '```\n<promise>DONE</promise>\n```'],
  ['a promise in a quote', '> <promise>DONE</promise>'],
  ['a promise of something else', '<promise>UNDONE</promise>'],
  ['an unfinished promise', '<promise>DONE'],
  ['nothing', ''],
] as const)('the stop word in %s is no claim [loop-stop-word-shown]', ([, text]) => {
  expect(said(text)).toBe(null)
})

test('an empty stop word is never said [loop-stop-word-shown]', () => {
  expect(said('\n\n', ' ')).toBe(null)
})

test('the stop word in old progress is no claim, a new one is [loop-stop-word-shown] [loop-progress-gained]', () => {
  const claim = (before: string, after: string) =>
    claimsIn({ lastMessage: '', progressGained: gainedIn(before, after), stopWord: 'DONE' })
  expect(claim('one\nDONE\n', 'one\nDONE\ntwo\n')).toBe(null)
  expect(claim('one\nDONE\n', 'rewritten\n\nDONE\n')).toBe(null)
  expect(claim('one\n', 'one\ntwo\nDONE\n')).toBe('stop-word')
  expect(claim('one\nDONE\n', 'rewritten\nDONE\nDONE\n')).toBe('stop-word')
})
