import { expect, test } from 'vitest'
import type { CommandEnd } from '../../src/contract/ward.ts'
import { failingChecks, MOST_CHECKS, wardStands } from '../../src/core/ward/checks.ts'
import fc from '../support/laws.ts'

/** The ids of one command's failing checks. */
const ids = (how: CommandEnd, names: string[] = [], command = 'npm run test') =>
  failingChecks([{ command, how }], () => names).map(({ id }) => id)

test.each<[CommandEnd[], string]>([
  [['green', 'green'], 'green'],
  [['green', 'red'], 'red'],
  [['hung'], 'red'],
  [['could-not-run', 'red'], 'red'],
  [['green', 'could-not-run'], 'could-not-run'],
])('of %j the ward stands %s [ward-results]', (ends, stands) => {
  expect(wardStands(ends.map(how => ({ how })))).toBe(stands)
})

test('a command is a check, and so is each failure named in its output [ward-results]', () => {
  const results = [
    { command: 'lint', how: 'green' as const },
    { command: 'types', how: 'red' as const },
    { command: 'test', how: 'red' as const },
    { command: 'slow', how: 'hung' as const },
    { command: 'none', how: 'could-not-run' as const },
  ]
  const checks = failingChecks(results, index => (index === 2 ? ['b > adds', 'a > adds', 'b > adds'] : []))
  expect(checks.map(({ command, failure }) => [command, failure])).toEqual([
    ['types', null],
    ['test', null],
    ['test', 'a > adds'],
    ['test', 'b > adds'],
    ['slow', null],
  ])
  expect(new Set(checks.map(({ id }) => id)).size).toBe(5)
})

test('a check keeps its id while it fails in the same way, whatever the order and the time that it took [ward-results]', () => {
  expect(ids('red', ['b (12 ms)', 'a  1.5s'])).toEqual(ids('red', ['a', 'b (7ms)']))
  expect(ids('red', ['a 1'])).not.toEqual(ids('red', ['a 2']))
  expect(ids('red', ['a'])).not.toEqual(ids('red', ['a'], 'make test'))
})

test('what fails in another way than before is not an old red: nameless, hanging, another name [ward-results]', () => {
  const base = new Set(ids('red', ['a', 'b']))
  const isOld = (now: string[]) => now.every(id => base.has(id))
  expect(isOld(ids('red', ['a', 'b']))).toBe(true)
  expect(isOld(ids('red', ['b']))).toBe(true)
  expect(isOld(ids('red', ['c']))).toBe(false)
  expect(isOld(ids('red'))).toBe(false)
  expect(isOld(ids('hung'))).toBe(false)
  expect(ids('red')).toEqual(ids('red'))
})

test('more failures than a journal takes are bounded, and one of the rest that changes is a new red [ward-results]', () => {
  const many = Array.from({ length: 2000 }, (_, n) => `test ${n} of many`)
  const base = ids('red', many)
  expect(base).toHaveLength(MOST_CHECKS)
  expect(ids('red', [...many].reverse())).toEqual(base)
  const other = ids('red', [...many.slice(0, -1), 'zz another'])
  expect(other.every(id => base.includes(id))).toBe(false)
})

test('for all names: fewer of them are only old reds, and a new one is not [ward-results]', () => {
  const name = fc.string({
    minLength: 1,
    maxLength: 20,
    unit: fc.constantFrom('a', 'b', 'c', '>', '[', '"', ',', '\\'),
  })
  fc.assert(
    fc.property(
      fc.uniqueArray(name, { minLength: 1, maxLength: 20 }),
      fc.array(fc.nat()),
      name,
      (base, picks, fresh) => {
        const known = new Set(ids('red', base))
        const some = picks.map(pick => base[pick % base.length]!)
        if (some.length > 0) expect(ids('red', some).every(id => known.has(id))).toBe(true)
        if (!base.includes(fresh)) expect(ids('red', [...some, fresh]).every(id => known.has(id))).toBe(false)
      },
    ),
  )
})
