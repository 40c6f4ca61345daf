import { describe, expect, test } from 'vitest'
import { CONFIG_KEY_NAMES, variableOf } from '../../src/config/keys.ts'
import { ConfigEntry, configEntries, explain, resolveConfig } from '../../src/config/resolve.ts'
import { ConfigProblem } from '../../src/config/sources.ts'
import { parseDuration } from '../../src/contract/duration.ts'
import fc from '../support/laws.ts'
import { project, sentences, user } from './sources.ts'

describe("a project's file", () => {
  test('a project may not set what a clone must not decide; the error says why and where to put it [config-project-refused]', () => {
    const refused = CONFIG_KEY_NAMES.filter(key => explain(key).settableByProject === 'no')
    expect(refused).toEqual(
      expect.arrayContaining([
        'claude',
        'permissionMode',
        'allowedTools',
        'env.keep',
        'env.required',
        'daemon.port',
        'sessions.max',
      ]),
    )
    for (const key of refused) {
      const { values, problems } = resolveConfig(project({ [key]: explain(key).default }))
      expect(problems).toMatchObject([{ severity: 'error', code: 'not-for-projects', key, line: 1 }])
      expect(problems[0]!.sentence).toContain(`a project's file may not set ${key}, because `)
      expect(problems[0]!.sentence).toContain(`rehoboam config set ${key} VALUE`)
      expect(values).toEqual(resolveConfig({}).values)
    }
  })

  test('a refused value is not repeated in what we tell people to type [config-project-refused]', () => {
    expect(sentences(project({ claude: '/p/evil.sh' }))[0]).not.toContain('evil')
  })

  test('what belongs to the one daemon is never set by a project [config-project-refused]', () => {
    for (const key of CONFIG_KEY_NAMES) {
      if (explain(key).scope === 'daemon') expect(explain(key).settableByProject).toBe('no')
    }
  })

  test('a project may lower a limit, never raise it; the attempt is a warning [config-project-lower]', () => {
    const limits = (ofProject: object, ofUser: object) => resolveConfig({ ...project(ofProject), ...user(ofUser) })
    expect(limits({ maxCostUsd: 5 }, {}).values.maxCostUsd).toBe(5)
    expect(limits({ maxCostUsd: 5 }, { maxCostUsd: 10 }).values.maxCostUsd).toBe(5)
    const raised = limits({ maxCostUsd: 50, maxTime: null }, { maxCostUsd: 10, maxTime: '90m' })
    expect(raised.values).toMatchObject({ maxCostUsd: 10, maxTime: '90m' })
    expect(raised.origins.maxCostUsd.source).toBe('user')
    expect(raised.problems.map(p => [p.severity, p.key])).toEqual([
      ['warning', 'maxCostUsd'],
      ['warning', 'maxTime'],
    ])
    expect(raised.problems[0]!.sentence).toContain('maxCostUsd 50 is more than you allow; 10 holds')
    expect(limits({ maxTime: '2h' }, { maxTime: '120m' }).problems).toEqual([])
    const retries = limits({ 'session.crashRetries': 20 }, {})
    expect([retries.values['session.crashRetries'], retries.origins['session.crashRetries'].source]).toEqual([
      3,
      'default',
    ])
  })

  test('whatever a project asks for, no limit is above what its user allows [config-project-lower]', () => {
    const cost = fc.option(fc.integer({ min: 1, max: 100 }))
    const time = fc.option(fc.integer({ min: 1, max: 100 }).map(n => `${n}m`))
    const limits = fc.record({ maxCostUsd: cost, maxTime: time })
    const ms = (text: string | null) => (text === null ? Number.POSITIVE_INFINITY : parseDuration(text))
    fc.assert(
      fc.property(limits, limits, (asked, allowed) => {
        const { values } = resolveConfig({ ...project(asked), ...user(allowed) })
        expect(values.maxCostUsd ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(
          allowed.maxCostUsd ?? Number.POSITIVE_INFINITY,
        )
        expect(ms(values.maxTime)).toBeLessThanOrEqual(ms(allowed.maxTime))
      }),
    )
  })
})

describe('hostile text', () => {
  test('a file over 1 MB is refused [config-wrong-value]', () => {
    const padded = `{"model": "x"${' '.repeat(1024 * 1024)}}`
    expect(resolveConfig(project(padded))).toMatchObject({ values: { model: null }, problems: [{ code: 'too-large' }] })
  })

  test('names like __proto__ and constructor are unknown keys and change no object [config-no-flag-injection]', () => {
    const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']
    for (const name of names) {
      const nested = `{"${name}": {"max": 1, "model": "evil"}, "sessions": {"${name}": {"max": 1}}}`
      const { problems, values } = resolveConfig({ ...user(nested), flags: JSON.parse(`{"${name}": "x"}`) })
      expect(problems.map(p => p.code)).toEqual(['unknown-key', 'unknown-key', 'unknown-key'])
      expect(values).toEqual(resolveConfig({}).values)
      expect(() => explain(name)).toThrow(/there is no key/)
    }
    expect(({} as Record<string, unknown>).max).toBeUndefined()
    expect(({} as Record<string, unknown>).model).toBeUndefined()
  })

  test('keys and values cannot move the cursor or turn the line of an error around [config-no-flag-injection]', () => {
    const evil = '\u001b]0;pwned\u0007\u009b2J\u202e\u2028\r\n'
    const all = [
      ...sentences({ project: { path: `/p/${evil}/c.json`, text: JSON.stringify({ [evil]: 1, driver: evil }) } }),
      ...sentences({ env: { [`REHOBOAM_${evil}`]: '1', REHOBOAM_DRIVER: evil } }),
    ]
    expect(all).toHaveLength(4)
    for (const sentence of all) expect(sentence).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u)
  })

  test('many thousand faults are told as twenty [config-wrong-value]', () => {
    const text = `{${Array.from({ length: 60_000 }, (_, n) => `"k${n}":1`).join(',')}}`
    const { problems } = resolveConfig(project(text))
    expect(problems).toHaveLength(21)
    expect(problems.at(-1)).toMatchObject({ code: 'too-many', severity: 'error' })
  })

  test('no text and no environment makes it throw or yield a value outside the schema [config-no-flag-injection]', () => {
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom('pane', 3, '1h', 'none', ['A']))
    const name = fc.oneof(
      fc.constantFrom<string>(...CONFIG_KEY_NAMES),
      fc.constantFrom('sessions', 'env', '__proto__'),
      fc.string(),
    )
    const file = fc.oneof(
      fc.string(),
      fc.dictionary(name, value).map(held => JSON.stringify(held)),
    )
    const env = fc.dictionary(fc.constantFrom(...CONFIG_KEY_NAMES.map(variableOf)), fc.string())
    fc.assert(
      fc.property(file, file, env, fc.dictionary(name, value), (ofProject, ofUser, env, flags) => {
        const resolved = resolveConfig({ flags, env, ...project(ofProject), ...user(ofUser), cwd: '/p' })
        for (const problem of resolved.problems) ConfigProblem.parse(problem)
        for (const entry of configEntries(resolved)) ConfigEntry.parse(entry)
        // What came out goes in again without a complaint.
        expect(resolveConfig(user(resolved.values)).problems).toEqual([])
      }),
    )
  })
})
