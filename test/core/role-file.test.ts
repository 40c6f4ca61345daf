import { expect, test } from 'vitest'
import { parseRoleFile, ROLE_FILE_LIMIT } from '../../src/contract/role-file.ts'
import fc from '../support/laws.ts'

test('a role file is read key by key, and below the keys stands its prompt [role-file-read]', () => {
  const text = `---
# For the night.
description: 'Builds: quickly'
model: claude-sonnet-5-5[1m]
effort: high
tools: [Read, "Bash", Read]
driver: pane
may-signal: needs-role-followup, complete

may-change: tests
---

Build it.

---
Well.
`
  expect(parseRoleFile('codeweaver', text)).toEqual({
    role: {
      name: 'codeweaver',
      description: 'Builds: quickly',
      model: 'claude-sonnet-5-5[1m]',
      effort: 'high',
      tools: ['Read', 'Bash'],
      driver: 'pane',
      maySignal: ['complete', 'needs-role-followup'],
      mayChange: 'tests',
      prompt: 'Build it.\n\n---\nWell.',
    },
  })
  const bare = { description: null, model: null, effort: null, tools: null, driver: null, maySignal: null }
  expect(parseRoleFile('scout', '\ufeffLook around.\r\nReport.')).toEqual({
    role: { name: 'scout', ...bare, mayChange: null, prompt: 'Look around.\nReport.' },
  })
})

const WRONG: [string, number, RegExp][] = [
  ['---\nmodel: a\nmodle: b\n---', 3, /no key "modle"; did you mean model\?/],
  ['---\ncolour: red\n---', 2, /no key "colour"; there are description, model, effort, tools, /],
  ['---\nconstructor: x\n---', 2, /no key "constructor"/],
  ['---\n\n# x\nmaysignal: complete\n---', 4, /did you mean may-signal\?/],
  ['---\nmodel\n---', 2, /"model" is not "key: value"/],
  ['---\nmodel:\n---', 2, /model has no value; leave the line out/],
  ['---\nmodel: a\nmodel: a\n---', 3, /model is there twice/],
  ['---\nmodel: a b\n---', 2, /model "a b" is no name of a model/],
  ['---\neffort: hihg\n---', 2, /effort is "hihg"; did you mean high\?/],
  ['---\ndriver: browser\n---', 2, /driver is "browser"; it can be headless, pane/],
  ['---\ntools: Bash(rm *)\n---', 2, /lists tools by name only; .*--allowed-tools/],
  ['---\nmay-signal: complete, partial\n---', 2, /may-signal is "partial"/],
  ['---\nmay-signal: needs-user-input\n---', 2, /without that the role can never finish/],
  ['---\nmay-change: all\n---', 2, /it can be nothing, tests, everything/],
  ['---\nmodel: a\nNo end.', 1, /front matter has no end/],
  ['x'.repeat(ROLE_FILE_LIMIT + 1), 1, /longer than 64000/],
  ['---\n\u001b[31mred: 1\n---', 2, /no key "\\u\{1b\}\[31mred"/],
]

test('what is wrong in a role file is said with its line and the nearest right word [role-file-read]', () => {
  for (const [text, line, sentence] of WRONG) {
    expect(parseRoleFile('codeweaver', text)).toEqual({ faults: [{ line, sentence: expect.stringMatching(sentence) }] })
  }
  for (const name of ['Codeweaver', '../x', '', 'a'.repeat(33), 'a b']) {
    expect(parseRoleFile(name, 'Build.')).toMatchObject({ faults: [{ sentence: /is no name of a role/ }] })
  }
  const many = `---\n${'x: 1\n'.repeat(1000)}---`
  expect(parseRoleFile('codeweaver', many)).toMatchObject({ faults: { length: 5 } })
})

test('no text makes the reader of role files fail, hang, or say what a terminal obeys [role-file-read]', () => {
  const key = fc.constantFrom('model', 'tools', 'may-signal', 'effort', '__proto__', 'driver', 'description')
  const unit = fc.constantFrom(...'ab:-[],"\'# \n\r\t\u0000\u0007\u001b\u009b\u202e\u2028', '\ud800', '😀', 'complete')
  const some = fc.string({ unit })
  const line = fc.oneof(
    some,
    fc.tuple(key, some).map(pair => pair.join(': ')),
  )
  const text = fc.array(line, { maxLength: 20 }).map(lines => `---\n${lines.join('\n')}\n---\nPrompt.`)
  fc.assert(
    fc.property(text, source => {
      const result = parseRoleFile('codeweaver', source)
      const said = 'faults' in result ? result.faults.map(({ sentence }) => sentence) : [result.role.description ?? '']
      for (const sentence of said) {
        expect(sentence.length).toBeLessThan(400)
        expect(sentence).not.toMatch(/\p{Cc}/u)
      }
    }),
  )
})
