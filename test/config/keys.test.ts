import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  CONFIG_KEY_NAMES,
  type ConfigKey,
  OTHER_VARIABLES,
  parseValue,
  requireValue,
  specOf,
  variableOf,
} from '../../src/config/keys.ts'
import { explain } from '../../src/config/resolve.ts'
import { parseDuration } from '../../src/contract/duration.ts'
import fc from '../support/laws.ts'

test('every key has a type, a default that fits it, a sentence and a reason that argues the default [config-list]', () => {
  for (const key of CONFIG_KEY_NAMES) {
    const { what, reason, type, default: fallback } = explain(key)
    expect(requireValue(key, fallback)).toEqual(fallback)
    expect(what, key).toMatch(/^[A-Z].{15,}\.$/)
    expect(reason, key).toMatch(/^[A-Z].{40,}\.$/)
    expect(type.length, key).toBeGreaterThan(5)
  }
})

test('every key has its own variable, and none is one of the variables that are not configuration [config-list]', () => {
  const variables = CONFIG_KEY_NAMES.map(variableOf)
  expect(new Set(variables).size).toBe(variables.length)
  for (const variable of variables) {
    expect(variable).toMatch(/^REHOBOAM(_[A-Z]+)+$/)
    expect(OTHER_VARIABLES).not.toContain(variable)
  }
  expect(variableOf('claude')).toBe('REHOBOAM_CLAUDE')
  expect(variableOf('sessions.startsPerSecond')).toBe('REHOBOAM_SESSIONS_STARTS_PER_SECOND')
  expect(variableOf('maxCostUsd')).toBe('REHOBOAM_MAX_COST_USD')
})

test('every REHOBOAM_ variable that our own code speaks of is known, so that no warning is about ourselves [config-list]', () => {
  const root = new URL('../../src/', import.meta.url)
  const known = new Set([...CONFIG_KEY_NAMES.map(variableOf), ...OTHER_VARIABLES, 'REHOBOAM_VERSION']) // the last: set by the build
  const unknown = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(path => /\.tsx?$/.test(path))
    .flatMap(path =>
      [...readFileSync(new URL(path, root), 'utf8').matchAll(/\bREHOBOAM_[A-Z_]*[A-Z]\b/g)].map(
        ([name]) => `${path}: ${name}`,
      ),
    )
    .filter(found => !known.has(found.split(': ')[1]!))
  expect(unknown, 'add the key, or the name to OTHER_VARIABLES, in src/config/keys.ts').toEqual([])
})

test('no key is also a group of keys [config-list]', () => {
  for (const key of CONFIG_KEY_NAMES) {
    expect(CONFIG_KEY_NAMES.filter(other => other.startsWith(`${key}.`))).toEqual([])
  }
})

test('a key that a project may only lower can be compared [config-project-lower]', () => {
  const lower = CONFIG_KEY_NAMES.filter(key => specOf(key).project === 'lower')
  expect(lower).toEqual([
    'maxCostUsd',
    'maxTime',
    'maxIterations',
    'maxWorkers',
    'slots',
    'stallAfter',
    'ward.timeLimitSec',
    'session.crashRetries',
  ])
  for (const key of lower) expect(specOf(key).kind.size?.(specOf(key).default)).toBeGreaterThan(0)
})

test('a value typed on a command line is read by the type of its key [config-wrong-value]', () => {
  expect(parseValue('sessions.max', '8')).toBe(8)
  expect(parseValue('maxCostUsd', '2.50')).toBe(2.5)
  expect(parseValue('maxCostUsd', 'none')).toBeNull()
  expect(parseValue('driver', 'pane')).toBe('pane')
  expect(parseValue('maxTime', '1h30m')).toBe('1h30m')
  expect(parseValue('env.keep', 'A, B C')).toEqual(['A', 'B', 'C'])
  expect(parseValue('env.keep', '["A","B"]')).toEqual(['A', 'B'])
  expect(parseValue('env.keep', 'none')).toEqual([])
  expect(parseValue('allowedTools', 'Bash(git log, git diff *) Edit,mcp__a__b')).toEqual([
    'Bash(git log, git diff *)',
    'Edit',
    'mcp__a__b',
  ])
  expect(parseValue('claude', '~/bin/claude')).toBe('~/bin/claude')
  expect(parseValue('claude', '/opt/my tools/claude')).toBe('/opt/my tools/claude')
  expect(parseValue('model', 'claude-opus-4-5[1m]')).toBe('claude-opus-4-5[1m]')
  expect(parseValue('model', 'us.anthropic.claude-sonnet-4-20250514-v1:0')).toContain('v1:0')
  const wrong: [ConfigKey, string][] = [
    ['sessions.max', '1e2'],
    ['sessions.max', '0x10'],
    ['sessions.max', ''],
    ['maxCostUsd', 'Infinity'],
    ['maxCostUsd', '0'],
    ['maxCostUsd', '-1'],
    ['driver', 'PANE'],
    ['maxTime', '30'],
    ['claude', './claude'],
    ['claude', 'my claude'],
    ['claude', '/bin/cl\u0000aude'],
    ['env.keep', '["A"'],
    ['env.keep', '*'],
    ['permissionMode', 'a b'],
  ]
  for (const [key, text] of wrong) expect(() => parseValue(key, text), `${key} ${text}`).toThrow(`${key} must be `)
})

test('text is either refused or read as a value that the schema accepts, for every key [config-wrong-value]', () => {
  fc.assert(
    fc.property(fc.constantFrom(...CONFIG_KEY_NAMES), fc.string(), (key, text) => {
      let value: unknown
      try {
        value = parseValue(key, text)
      } catch {
        return
      }
      expect(requireValue(key, JSON.parse(JSON.stringify(value)))).toEqual(value)
    }),
    { numRuns: 2000 },
  )
})

test('a duration is days, hours, minutes and seconds, largest first [config-wrong-value]', () => {
  expect(parseDuration('90s')).toBe(90_000)
  expect(parseDuration('30m')).toBe(1_800_000)
  expect(parseDuration('2h')).toBe(7_200_000)
  expect(parseDuration(' 1d ')).toBe(86_400_000)
  expect(parseDuration('1h30m')).toBe(5_400_000)
  for (const text of [
    '',
    '30',
    '0s',
    '1.5h',
    '-1h',
    '1m1h',
    '1h 30m',
    '1w',
    '10ms',
    '366d',
    '999999999999s',
    'h',
    '1H',
  ]) {
    expect(() => parseDuration(text), text).toThrow(/is not a duration/)
  }
  expect(() => parseDuration('30')).toThrow('(30 of what?); write for example 90s, 30m')
})

test('every sum of whole units is read back exactly [config-wrong-value]', () => {
  const unit = fc.nat(500)
  fc.assert(
    fc.property(fc.nat(300), unit, unit, unit, (d, h, m, s) => {
      const ms = (((d * 24 + h) * 60 + m) * 60 + s) * 1000
      fc.pre(ms > 0)
      expect(parseDuration(`${d}d${h}h${m}m${s}s`)).toBe(ms)
    }),
  )
})
