import { describe, expect, test } from 'vitest'
import { CONFIG_KEY_NAMES, type ConfigKey, OTHER_VARIABLES } from '../../src/config/keys.ts'
import { configEntries, configEntry, explain, masked, requireConfig, resolveConfig } from '../../src/config/resolve.ts'
import { RehoboamError } from '../../src/contract/errors.ts'
import fc from '../support/laws.ts'
import { project, sentences, user } from './sources.ts'

describe('precedence', () => {
  const given = {
    flags: { model: 'flag-model' },
    env: { REHOBOAM_MODEL: 'env-model' },
    ...project({ model: 'project-model' }),
    ...user({ model: 'user-model' }),
  }

  test('a flag wins over the environment, that over the project, that over the user, that over the default [config-order]', () => {
    const { flags, env, project, user } = given
    const model = (input: object) => {
      const { values, origins } = resolveConfig(input)
      return [values.model, origins.model.source, origins.model.where]
    }
    expect(model({ flags, env, project, user })).toEqual(['flag-model', 'flag', '--model'])
    expect(model({ env, project, user })).toEqual(['env-model', 'environment', 'REHOBOAM_MODEL'])
    expect(model({ project, user })).toEqual(['project-model', 'project', '/p/rehoboam.config.json'])
    expect(model({ user })).toEqual(['user-model', 'user', '/home/u/.config/rehoboam/config.json'])
    expect(model({})).toEqual([null, 'default', null])
  })

  test('whatever subset of sources speaks, the first of them holds, for every key on its own [config-order]', () => {
    const limits = fc.record({ flag: fc.boolean(), env: fc.boolean(), project: fc.boolean(), user: fc.boolean() })
    fc.assert(
      fc.property(limits, limits, (grace, driver) => {
        const { values, origins, problems } = resolveConfig({
          flags: { 'session.endGraceSec': grace.flag ? '11' : undefined, driver: driver.flag ? 'pane' : undefined },
          env: { REHOBOAM_SESSION_END_GRACE_SEC: grace.env ? '12' : '', REHOBOAM_DRIVER: driver.env ? 'pane' : '' },
          ...project({
            ...(grace.project && { session: { endGraceSec: 13 } }),
            ...(driver.project && { driver: 'pane' }),
          }),
          ...user({ ...(grace.user && { 'session.endGraceSec': 14 }), ...(driver.user && { driver: 'pane' }) }),
        })
        const first = (of: typeof grace) =>
          of.flag ? 'flag' : of.env ? 'environment' : of.project ? 'project' : of.user ? 'user' : 'default'
        expect(problems).toEqual([])
        expect(origins['session.endGraceSec'].source).toBe(first(grace))
        expect(values['session.endGraceSec']).toBe(
          { flag: 11, environment: 12, project: 13, user: 14, default: 5 }[first(grace)],
        )
        expect(origins.driver.source).toBe(first(driver))
        expect(values.driver).toBe(first(driver) === 'default' ? 'headless' : 'pane')
      }),
    )
  })

  test('nested objects and dotted names mean the same [config-order]', () => {
    const nested = resolveConfig(user({ sessions: { max: 3, startsPerSecond: 2 }, session: {} }))
    const dotted = resolveConfig(user({ 'sessions.max': 3, 'sessions.startsPerSecond': 2 }))
    expect(nested).toEqual(dotted)
    expect(nested.problems).toEqual([])
    expect(nested.values['sessions.max']).toBe(3)
  })

  test('an empty variable counts as not set [config-order]', () => {
    const { origins, problems } = resolveConfig({
      env: { REHOBOAM_MODEL: '', REHOBOAM_MAX_TIME: ' ' },
      ...user({ model: 'm' }),
    })
    expect(problems).toEqual([])
    expect(origins.model.source).toBe('user')
  })

  test('none takes a value away that a lower source gave [config-order]', () => {
    const below = user({ model: 'm', maxTime: '1h', allowedTools: ['Edit'] })
    const env = { REHOBOAM_MODEL: 'none', REHOBOAM_MAX_TIME: 'none', REHOBOAM_ALLOWED_TOOLS: 'none' }
    expect(resolveConfig({ env, ...below }).values).toMatchObject({ model: null, maxTime: null, allowedTools: [] })
    expect(resolveConfig({ ...project({ model: null }), ...below }).values.model).toBeNull()
  })

  test('a repeated flag is one list [config-order]', () => {
    const { values } = resolveConfig({ flags: { allowedTools: ['Edit', 'Bash(git log *), Read'] } })
    expect(values.allowedTools).toEqual(['Edit', 'Bash(git log *)', 'Read'])
  })

  test('a relative client is relative to where it was typed, and refused in a file [config-order]', () => {
    const cwd = '/p/app'
    expect(resolveConfig({ flags: { claude: './bin/claude' }, cwd }).values.claude).toBe('/p/app/./bin/claude')
    expect(resolveConfig({ env: { REHOBOAM_CLAUDE: 'bin/claude' }, cwd }).values.claude).toBe('/p/app/bin/claude')
    expect(resolveConfig({ env: { HOME: '/home/u' }, ...user({ claude: '~/bin/claude' }) }).values.claude).toBe(
      '/home/u/bin/claude',
    )
    expect(sentences({ cwd, ...user({ claude: './bin/claude' }) })[0]).toContain('claude must be the name of a program')
    expect(sentences(user({ claude: '-p' }))).toHaveLength(1)
  })
})

describe('problems', () => {
  test('an unknown key is named with the nearest right one [config-nearest-key]', () => {
    expect(sentences(user('{\n  "sesions.max": 3\n}'))).toEqual([
      '/home/u/.config/rehoboam/config.json:2:3: there is no key "sesions.max"; did you mean sessions.max?',
    ])
    const guess = (name: string) => /did you mean (\S+)\?/.exec(sentences(user({ [name]: 1 }))[0]!)?.[1]
    expect(guess('max-cost')).toBe('maxCostUsd')
    expect(guess('permission_mode')).toBe('permissionMode')
    expect(guess('port')).toBe('daemon.port')
    expect(guess('mdoel')).toBe('model')
    expect(guess('session.max')).toBe('sessions.max')
    expect(guess('favouriteColour')).toBeUndefined()
    expect(sentences(user({ sessions: 5 }))[0]).toContain('is a group, not a key; its keys are sessions.max, ')
  })

  test('one slip in a key is always traced back to a key [config-nearest-key]', () => {
    const slips = fc
      .constantFrom(...CONFIG_KEY_NAMES.filter(key => key.length > 5))
      .chain(key =>
        fc.nat(key.length - 2).map(at => ({ key, slip: key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2) })),
      )
    fc.assert(
      fc.property(slips, ({ key, slip }) => {
        fc.pre(!CONFIG_KEY_NAMES.includes(slip as ConfigKey))
        expect(sentences(user({ [slip]: 1 }))[0]).toContain(`did you mean ${key}?`)
      }),
    )
  })

  test('a wrong value is named with what would be right [config-wrong-value]', () => {
    const wrong = (key: string, value: unknown) => sentences(user({ [key]: value }))[0]!.replace(/^.*?json:1:\d+: /, '')
    expect(wrong('sessions.max', 'lots')).toBe('sessions.max must be a whole number from 1 to 256, not "lots"')
    expect(wrong('sessions.max', '8')).toBe('sessions.max must be a whole number from 1 to 256, not "8"; write 8')
    expect(wrong('sessions.max', 0)).toContain('from 1 to 256, not 0')
    expect(wrong('sessions.max', 1.5)).toContain('not 1.5')
    expect(wrong('sessions.max', { a: 1 })).toContain('not an object')
    expect(wrong('driver', 'headles')).toBe('driver must be headless or pane, not "headles"; did you mean headless?')
    expect(wrong('env.keep', 'A,B')).toContain('not "A,B"; write ["A","B"]')
    expect(wrong('env.keep', ['A', 'B-C'])).toContain('a list of names of environment variables, not with "B-C" in it')
    expect(wrong('maxTime', 30)).toContain('a duration such as 90s, 30m, 2h, 1d or 1h30m, or none, not 30')
    expect(wrong('claude', '')).toContain('it is empty')
    expect(sentences({ env: { REHOBOAM_SESSIONS_MAX: 'x' } })[0]).toMatch(
      /^REHOBOAM_SESSIONS_MAX: sessions.max must be/,
    )
    expect(sentences({ flags: { maxCostUsd: 'free' } })[0]).toMatch(/^--max-cost: maxCostUsd must be/)
  })

  test('no value can become a flag of the client [config-no-flag-injection]', () => {
    const settable = CONFIG_KEY_NAMES.filter(key => key !== 'claude')
    fc.assert(
      fc.property(fc.constantFrom(...settable), fc.string(), (key, rest) => {
        for (const value of [`-${rest}`, [`-${rest}`]]) {
          expect(resolveConfig(user({ [key]: value })).origins[key].source).toBe('default')
        }
      }),
    )
    expect(sentences(project({ model: '--dangerously-skip-permissions' }))).toHaveLength(1)
    expect(sentences(project({ model: 'x --dangerously-skip-permissions' }))).toHaveLength(1)
  })

  test('a file that is not JSON, empty or no object is an error with its place [config-wrong-value]', () => {
    const [first] = resolveConfig(project('{\n  "model": "x",\n}')).problems
    expect(first).toMatchObject({ severity: 'error', code: 'invalid-json', source: 'project', line: 2, column: 15 })
    expect(first!.sentence).toBe('/p/rehoboam.config.json:2:15: the comma before } is one too many')
    expect(sentences(project(' \n'))[0]).toContain('the file is empty; write {} or delete it')
    expect(sentences(project('[]'))[0]).toContain('must hold an object')
  })

  test('the same key twice in one file is an error, also once nested and once dotted [config-wrong-value]', () => {
    expect(sentences(user('{\n"model": "a",\n"model": "b"\n}'))[0]).toContain(
      ':3:1: model is set a second time (first on line 2); delete one',
    )
    expect(sentences(user('{"sessions": {"max": 1}, "sessions.max": 2}'))[0]).toContain('a second time')
  })

  test('a wrong value is an error even where a higher source hides it [config-wrong-value]', () => {
    const resolved = resolveConfig({ flags: { driver: 'pane' }, ...user({ driver: 'panel' }) })
    expect(() => requireConfig(resolved)).toThrow(RehoboamError)
    expect(() => requireConfig(resolved)).toThrow(/driver must be headless or pane/)
  })

  test('requireConfig gives the values when there are only warnings, and every error when there are errors [config-wrong-value]', () => {
    expect(requireConfig(resolveConfig({ env: { REHOBOAM_MODLE: 'x' } })).model).toBeNull()
    const broken = resolveConfig(user({ modle: 1, drivr: 2 }))
    const thrown = catching(() => requireConfig(broken))
    expect(thrown.code).toBe('config-wrong')
    expect(thrown.message.split('\n')).toHaveLength(2)
    expect(thrown.data.problems).toEqual(broken.problems)
  })

  test('an unknown REHOBOAM_ variable is a warning that names the nearest [config-nearest-key]', () => {
    const warned = (name: string) => resolveConfig({ env: { [name]: '5' } }).problems
    expect(warned('REHOBOAM_MAX_COST')).toMatchObject([{ severity: 'warning', code: 'unknown-variable' }])
    expect(warned('REHOBOAM_MAX_COST')[0]!.sentence).toContain('did you mean REHOBOAM_MAX_COST_USD?')
    expect(warned('REHOBOAM_HOEM')[0]!.sentence).toContain('did you mean REHOBOAM_HOME?')
    expect(warned('REHOBOAM_LOOPDIR')[0]!.sentence).toContain('did you mean REHOBOAM_LOOP_DIR?')
    expect(warned('REHOBOAM_WEATHER')[0]!.sentence).toMatch(/does nothing$/)
    for (const name of [...OTHER_VARIABLES, 'HOME', 'NOT_REHOBOAM_MODEL']) expect(warned(name)).toEqual([])
  })
})

describe('what the faces ask', () => {
  test('list has every key with value, default, origin and reason, in the order of the schema [config-list]', () => {
    const entries = configEntries(resolveConfig(user({ 'sessions.max': 4 })))
    expect(entries.map(entry => entry.key)).toEqual(CONFIG_KEY_NAMES)
    expect(entries.find(entry => entry.key === 'sessions.max')).toMatchObject({
      value: 4,
      default: 16,
      origin: { source: 'user', where: '/home/u/.config/rehoboam/config.json' },
      env: 'REHOBOAM_SESSIONS_MAX',
      settableByProject: 'no',
    })
  })

  test('get and explain of an unknown key name the nearest [config-nearest-key]', () => {
    expect(() => configEntry(resolveConfig({}), 'sessions.mx')).toThrow(/did you mean sessions.max\?/)
    expect(catching(() => explain('modle'))).toMatchObject({ code: 'config-unknown-key', data: { nearest: 'model' } })
  })

  test('a secret is shown as set, never as itself [config-secret]', () => {
    expect(masked({ secret: true }, 'hunter2')).toBe('(set)')
    expect(masked({ secret: true }, null)).toBeNull()
    expect(masked({}, 'opus')).toBe('opus')
  })
})

function catching(act: () => unknown): RehoboamError {
  try {
    act()
  } catch (error) {
    if (error instanceof RehoboamError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}
