import { expect, test } from 'vitest'
import { hooksState } from '../../src/config/hook-settings/hooks-installed.ts'
import { withHooks } from '../../src/config/hook-settings/install.ts'
import { withoutHooks } from '../../src/config/hook-settings/remove.ts'
import { ANY_PROGRAM, HOOK_ROWS, thisProgram, userHooks } from '../../src/contract/hook-settings.ts'
import fc from '../support/laws.ts'
import { PLAYS_ALL } from '../support/plays-all.ts'
import { PROGRAM } from './project.ts'

const program = thisProgram(PROGRAM)

/** JSON as no formatter would write it: white space of any kind between any two tokens. */
const spaces = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r\n', '\r'), maxLength: 4 })
const settings = fc
  .record({ content: content(), spaces: fc.array(spaces, { minLength: 1, maxLength: 7 }), mark: fc.boolean() })
  .map(({ content, spaces, mark }) => (mark ? '\ufeff' : '') + scattered(content, spaces))
const tidy = fc
  .record({ content: content(), indent: fc.constantFrom('', '  ', '   ', '\t'), eol: fc.constantFrom('\n', '\r\n'), end: spaces }) // biome-ignore format: one record
  .map(({ content, indent, eol, end }) => JSON.stringify(content, null, indent).replaceAll('\n', eol) + end)
const blank = spaces.map(text => text)
const anyText = fc.oneof({ weight: 5, arbitrary: settings }, { weight: 5, arbitrary: tidy }, blank)
const anyProgram = fc.constantFrom(program, ANY_PROGRAM)
const without = (text: string) => withoutHooks(text).text

test('whatever the settings and their layout, --remove gives back the very bytes [init-roundtrip]', () => {
  fc.assert(
    fc.property(anyText, anyProgram, (text, program) => {
      const installed = withHooks({ text }, program)
      expect(hooksState(installed, program)).toMatchObject({ state: 'current', hooks: HOOK_ROWS.length })
      expect(withoutHooks(installed)).toEqual({ text, hooks: HOOK_ROWS.length, made: null })
    }),
    { numRuns: PLAYS_ALL ? 600 : 120 },
  )
})

test('init a second time changes nothing, and init with another program is as if it were the first [init-mark]', () => {
  fc.assert(
    fc.property(anyText, text => {
      const once = withHooks({ text }, program)
      expect(withHooks({ text: once }, program)).toBe(once)
      const other = withHooks({ text }, ANY_PROGRAM)
      expect(withHooks({ text: once }, ANY_PROGRAM)).toBe(other)
      expect(without(other)).toBe(text)
    }),
    { numRuns: PLAYS_ALL ? 250 : 50 },
  )
})

test('everything that was in the file is in it afterwards, in the same order, before ours [init-roundtrip]', () => {
  fc.assert(
    fc.property(fc.oneof(settings, tidy), text => {
      const before = JSON.parse(text.replace('\ufeff', ''))
      const after = JSON.parse(withHooks({ text }, program).replace('\ufeff', ''))
      expect(Object.keys(after).filter(key => key in before)).toEqual(Object.keys(before))
      expect(Object.keys(after.hooks).slice(0, Object.keys(before.hooks ?? {}).length)).toEqual(
        Object.keys(before.hooks ?? {}),
      )
      for (const { event } of HOOK_ROWS) {
        const theirs = before.hooks?.[event] ?? []
        expect(after.hooks[event].slice(0, theirs.length)).toEqual(theirs)
        expect(after.hooks[event]).toHaveLength(theirs.length + HOOK_ROWS.filter(row => row.event === event).length)
      }
    }),
    { numRuns: PLAYS_ALL ? 250 : 50 },
  )
})

test('ours of an older version are replaced by init and taken out by --remove [init-mark]', () => {
  fc.assert(
    fc.property(anyText, fc.constantFrom('init-0', 'init-2', 'init-17'), (text, mark) => {
      const older = withHooks({ text }, program)
        .replaceAll('--from init-1', `--from ${mark}`)
        .replaceAll('hook --hold', 'hook --wait')
      expect(hooksState(older, program)).toMatchObject({
        state: 'outdated',
        sentence: expect.stringContaining(`another version (${mark})`),
      })
      expect(without(older)).toBe(text)
      expect(withHooks({ text: older }, program)).toBe(withHooks({ text }, program))
    }),
    { numRuns: PLAYS_ALL ? 200 : 40 },
  )
})

test('a file rewritten by the client or a formatter in between keeps its new look without ours [init-roundtrip]', () => {
  fc.assert(
    fc.property(fc.oneof(settings, tidy), fc.constantFrom<string | number>('', 2, '\t'), (text, indent) => {
      const rewritten = JSON.stringify(JSON.parse(withHooks({ text }, program).replace('\ufeff', '')), null, indent)
      const after = JSON.parse(without(rewritten))
      expect(after).toEqual(JSON.parse(text.replace('\ufeff', '')))
    }),
    { numRuns: PLAYS_ALL ? 200 : 40 },
  )
})

/** Any object, some with hooks of the shapes that the client accepts, for events of ours and others. */
function content(): fc.Arbitrary<object> {
  const theirs = fc.record({ type: fc.constant('command'), command: fc.string() })
  const group = fc.record({ matcher: fc.string(), hooks: fc.array(theirs, { maxLength: 2 }) }, { requiredKeys: ['hooks'] }) // biome-ignore format: one call
  const event = fc.constantFrom(...userHooks('x').map(({ event }) => event), 'Setup', 'Elicitation')
  const hooks = fc.dictionary(event, fc.array(group, { maxLength: 3 }), { maxKeys: 5 })
  const key = fc.string().filter(name => !['hooks', '__proto__', 'toString'].includes(name) && !/^\d+$/.test(name))
  const others = fc.dictionary(key, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 })
  return fc
    .record({ before: others, hooks: fc.option(hooks, { nil: undefined }), after: others })
    .map(({ before, hooks, after }) => JSON.parse(JSON.stringify({ ...before, hooks, ...after })))
}

function scattered(value: unknown, spaces: string[]): string {
  let turn = 0
  return JSON.stringify(value).replace(/"(?:[^"\\]|\\.)*"|[[\]{}:,]/g, token => {
    const around = () => spaces[turn++ % spaces.length]!
    return around() + token + around()
  })
}
