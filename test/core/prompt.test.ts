import { expect, test } from 'vitest'
import { composePrompt, promptHead } from '../../src/core/prompt.ts'
import { promptLine } from '../../src/rehearsal/prompt-line.ts'

const head = promptHead('k3v9x0ab', { role: 'session', iteration: null }, 2)

test('a prompt begins with the line that names its run, role and attempt [core-prompt-head]', () => {
  expect(composePrompt(head, null, ['mend it'])).toBe('[rehoboam run=k3v9x0ab role=session attempt=2]\nmend it')
})

test('a prompt that begins with a slash carries that line last, so that the client expands it [core-prompt-head]', () => {
  expect(composePrompt(head, null, ['/review all', 'and more'])).toBe(`/review all\n\nand more\n${head}`)
  expect(composePrompt(head, 'You were cut off.', ['/review all'])).toBe(`/review all\n\nYou were cut off.\n${head}`)
})

test('our own words come first, then the texts in their order, an empty line between them [core-prompt-head]', () => {
  expect(composePrompt(head, 'You were cut off.', ['one', 'two'])).toBe(`${head}\nYou were cut off.\n\none\n\ntwo`)
  expect(composePrompt(head, null, [])).toBe('')
})

test.for(['mend it', '/review', 'line\n[rehoboam run=zzzzzzzz role=other]'])(
  'whoever reads %j finds the line that we wrote [core-prompt-head]',
  text => {
    expect(promptLine(composePrompt(head, null, [text]))).toEqual({ run: 'k3v9x0ab', role: 'session', attempt: '2' })
  },
)
