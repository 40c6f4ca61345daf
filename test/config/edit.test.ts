import { describe, expect, test } from 'vitest'
import { withoutKey, withValue } from '../../src/config/edit.ts'
import { CONFIG_KEY_NAMES, type ConfigKey } from '../../src/config/keys.ts'
import { explain, resolveConfig } from '../../src/config/resolve.ts'
import fc from '../support/laws.ts'

describe('setting a key in a text', () => {
  test('a value is replaced where it stands, and nothing else changes [config-edit-exact]', () => {
    const text = '{\n\t"model" : "a",\n\n\t"sessions": { "max":4 },  "driver": "pane"\n}'
    expect(withValue(text, 'model', 'b')).toBe(text.replace('"a"', '"b"'))
    expect(withValue(text, 'sessions.max', 8)).toBe(text.replace('4', '8'))
    expect(withValue(text, 'model', null)).toBe(text.replace('"a"', 'null'))
  })

  test("a new key is written the way the file's last one is [config-edit-exact]", () => {
    expect(withValue('{\n    "model": "a"\n}\n', 'driver', 'pane')).toBe(
      '{\n    "model": "a",\n    "driver": "pane"\n}\n',
    )
    expect(withValue('{\r\n\t"model": "a"\r\n}\r\n', 'driver', 'pane')).toBe(
      '{\r\n\t"model": "a",\r\n\t"driver": "pane"\r\n}\r\n',
    )
    expect(withValue('{"model":"a"}', 'driver', 'pane')).toBe('{"model":"a","driver":"pane"}')
    expect(withValue('{ "model": "a", "maxTime": "1h" }', 'driver', 'pane')).toBe(
      '{ "model": "a", "maxTime": "1h", "driver": "pane" }',
    )
    expect(withValue('{\r\n}\r\n', 'model', 'a')).toBe('{\r\n  "model": "a"\r\n}\r\n')
    expect(withValue('\ufeff{}', 'model', 'a')).toBe('\ufeff{\n  "model": "a"\n}')
    expect(withValue('', 'sessions.max', 2)).toBe('{\n  "sessions.max": 2\n}\n')
  })

  test('a new key goes into the group that the file has, else it is written dotted [config-edit-exact]', () => {
    const nested = '{\n  "sessions": {\n    "max": 4\n  },\n  "model": "a"\n}\n'
    expect(withValue(nested, 'sessions.startsPerSecond', 2)).toBe(
      '{\n  "sessions": {\n    "max": 4,\n    "startsPerSecond": 2\n  },\n  "model": "a"\n}\n',
    )
    expect(withValue('{\n  "sessions": {}\n}\n', 'sessions.max', 2)).toBe('{\n  "sessions": {\n    "max": 2\n  }\n}\n')
    expect(withValue('{"model": "a"}', 'sessions.max', 2)).toBe('{"model": "a","sessions.max": 2}')
  })

  test('a list over several lines stays one [config-edit-exact]', () => {
    const text = '{\n  "env.keep": [\n    "A"\n  ]\n}\n'
    expect(withValue(text, 'env.keep', ['B', 'C'])).toBe('{\n  "env.keep": [\n    "B",\n    "C"\n  ]\n}\n')
    expect(withValue(text, 'env.keep', [])).toBe('{\n  "env.keep": []\n}\n')
    expect(withValue('{"env.keep":["A"]}', 'env.keep', ['B', 'C'])).toBe('{"env.keep":["B", "C"]}')
  })

  test('a key that stood there twice stands there once after it was set [config-edit-exact]', () => {
    const text = '{"sessions": {"max": 1}, "model": "a", "sessions.max": 2, "sessions.max": 3}'
    expect(withValue(text, 'sessions.max', 9)).toBe('{"sessions": {"max": 9}, "model": "a"}')
  })

  test('a file that is not a JSON object is not touched: the error says to fix it first [config-edit-broken]', () => {
    expect(() => withValue('{\n"model": oops}', 'model', 'a')).toThrow(/^line 2: .*fix the file first/)
    expect(() => withValue('[1]', 'model', 'a')).toThrow('fix it first')
    expect(() => withValue(`{${'"model":1,'.repeat(50)}"model":1}`, 'model', 'a')).toThrow('51 times')
  })
})

describe('taking a key out of a text', () => {
  test('the key goes with its comma, and a group left empty goes with it [config-edit-exact]', () => {
    expect(withoutKey('{\n  "model": "a",\n  "driver": "pane"\n}\n', 'model')).toBe('{\n  "driver": "pane"\n}\n')
    expect(withoutKey('{\n  "model": "a",\n  "driver": "pane"\n}\n', 'driver')).toBe('{\n  "model": "a"\n}\n')
    expect(withoutKey('{\n  "sessions": { "max": 4 },\n  "model": "a"\n}\n', 'sessions.max')).toBe(
      '{\n  "model": "a"\n}\n',
    )
    expect(withoutKey('{\n  "model": "a"\n}\n', 'model')).toBe('{}\n')
    expect(withoutKey('{"a": 1}', 'model')).toBe('{"a": 1}')
    expect(withoutKey('', 'model')).toBe('')
  })

  test('an unknown key can be taken out: that is how a file is mended [config-edit-exact]', () => {
    expect(withoutKey('{"modle": {"x": 1}, "model": "a"}', 'modle')).toBe('{"model": "a"}')
  })
})

/** A file as people write them: some keys, nested or dotted, in some order, in some style. */
const style = fc.record({
  indent: fc.constantFrom('', '  ', '    ', '\t'),
  eol: fc.constantFrom('\n', '\r\n'),
  final: fc.boolean(),
})
const written = fc
  .record({ keys: fc.uniqueArray(fc.constantFrom(...CONFIG_KEY_NAMES)), nested: fc.boolean(), style })
  .map(({ keys, nested, style }) => {
    const content: Record<string, unknown> = {}
    for (const key of keys) {
      const [group, name] = key.split('.') as [string, string | undefined]
      if (nested && name !== undefined) content[group] = { ...(content[group] as object), [name]: explain(key).default }
      else content[key] = explain(key).default
    }
    const text = JSON.stringify(content, null, style.indent) + (style.final ? '\n' : '')
    return { keys, text: text.replaceAll('\n', style.eol), style }
  })
const setting = fc.constantFrom<[ConfigKey, string | number | null | string[]]>(
  ['model', 'opus'],
  ['model', null],
  ['sessions.max', 7],
  ['env.keep', ['A', 'B']],
  ['env.keep', []],
  ['maxTime', '2h'],
)
const read = (text: string) => {
  const { values, origins, problems } = resolveConfig({ user: { path: 'f', text } })
  return { values, set: CONFIG_KEY_NAMES.filter(key => origins[key].source === 'user'), problems }
}

test('after a set the file says exactly that, and about every other key what it said before [config-edit-exact]', () => {
  fc.assert(
    fc.property(written, setting, ({ text, keys }, [key, value]) => {
      const after = read(withValue(text, key, value))
      expect(after.problems).toEqual([])
      expect(after.values).toEqual({ ...read(text).values, [key]: value })
      expect(new Set(after.set)).toEqual(new Set([...keys, key]))
    }),
    { numRuns: 500 },
  )
})

test('line ends, final newline and every other line survive a set [config-edit-exact]', () => {
  fc.assert(
    fc.property(written, setting, ({ text, keys, style }, [key, value]) => {
      const after = withValue(text, key, value)
      expect(after.endsWith(style.eol)).toBe(text.endsWith(style.eol))
      if (keys.length > 0 && style.eol === '\r\n') expect(after.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
      const changed = text.split(style.eol).filter(line => !after.split(style.eol).includes(line))
      // The line itself, or the line before it (which gets a comma), or an empty pair of brackets that opens.
      if (!Array.isArray(value)) expect(changed.length).toBeLessThanOrEqual(1)
    }),
    { numRuns: 500 },
  )
})

test('unset undoes set, and the same set twice changes nothing the second time [config-edit-exact]', () => {
  fc.assert(
    fc.property(written, setting, ({ text, keys }, [key, value]) => {
      const once = withValue(text, key, value)
      expect(withValue(once, key, value)).toBe(once)
      const gone = withoutKey(once, key)
      expect(new Set(read(gone).set)).toEqual(new Set(keys.filter(other => other !== key)))
      // A file with only that key becomes {}; an empty group that was there before goes.
      if (!keys.includes(key) && keys.length > 0) expect(gone).toBe(text)
    }),
    { numRuns: 500 },
  )
})
