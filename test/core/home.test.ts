import { describe, expect, test } from 'vitest'
import { cursorText, FeedCursor, START } from '../../src/contract/feed.ts'
import { homeOf, socketOf } from '../../src/contract/home.ts'
import { compareVersions } from '../../src/contract/version.ts'
import fc from '../support/laws.ts'

describe('the state directory', () => {
  test.for([
    [{ REHOBOAM_HOME: '/r', XDG_STATE_HOME: '/x', HOME: '/h' }, '/r'],
    [{ REHOBOAM_HOME: '/r/' }, '/r'],
    [{ REHOBOAM_HOME: '/' }, '/'],
    [{ REHOBOAM_HOME: '', XDG_STATE_HOME: '/x', HOME: '/h' }, '/x/rehoboam'],
    [{ XDG_STATE_HOME: '', HOME: '/h' }, '/h/.local/state/rehoboam'],
  ] as const)('for %j is %s [home-place]', ([env, home]) => {
    expect(homeOf(env)).toBe(home)
  })
})

describe('the socket', () => {
  const deep = `/home/joe/${'deep/'.repeat(30)}state`

  test('is in the state directory when its path fits [home-socket]', () => {
    expect(socketOf('/home/joe/state', {}, 1000)).toBe('/home/joe/state/daemon.sock')
  })

  test('is at a short path of its user when it does not [home-socket]', () => {
    expect(socketOf(deep, {}, 1000)).toMatch(/^\/tmp\/rehoboam-1000\/[0-9a-f]{16}\.sock$/)
    expect(socketOf(deep, { XDG_RUNTIME_DIR: '/run/user/1000' }, 1000)).toMatch(/^\/run\/user\/1000\/rehoboam-1000\//)
    expect(socketOf(deep, { XDG_RUNTIME_DIR: deep }, 1000)).toMatch(/^\/tmp\//)
  })

  test('fits the operating system’s limit wherever the state is, and two directories share none [home-socket]', () => {
    const paths = fc.string({ minLength: 1, maxLength: 300, unit: 'grapheme' }).map(path => `/${path}`)
    fc.assert(
      fc.property(paths, paths, (one, two) => {
        const [a, b] = [socketOf(one, {}, 4_294_967_294), socketOf(two, {}, 4_294_967_294)]
        expect(Buffer.byteLength(a)).toBeLessThan(104)
        expect(a === b).toBe(one === two)
      }),
    )
  })
})

describe('versions', () => {
  test.for([
    ['0.1.0', '0.1.1', -1],
    ['0.9.0', '0.10.0', -1],
    ['1.0.0', '0.99.99', 1],
    ['1.0.0-beta', '1.0.0', -1],
    ['1.0.0-beta', '0.9.9', 1],
    ['1.0.0-a', '1.0.0-b', -1],
    ['1.0.0', '1.0.0', 0],
    ['nonsense', '0.0.1', -1],
    ['', 'nonsense', 0],
  ] as const)('%s against %s [daemon-newer-replaces]', ([a, b, order]) => {
    expect(Math.sign(compareVersions(a, b))).toBe(order)
    expect(Math.sign(compareVersions(b, a))).toBe(order === 0 ? 0 : -order)
  })
})

describe('a follower’s cursor', () => {
  test('is read back as it was written [feed-resume]', () => {
    const number = fc.nat({ max: 999_999_999 })
    fc.assert(
      fc.property(number, number, number, (seq, turn, offset) => {
        expect(FeedCursor.parse(cursorText({ seq, turn, offset }))).toEqual({ seq, turn, offset })
      }),
    )
    expect(FeedCursor.parse(cursorText(START))).toEqual(START)
  })

  test.for(['', '1', '1.2', '1.2.3.4', '-1.2.3', '1.2.x', '1.2.3 ', '1e3.2.3', `${'9'.repeat(16)}.1.1`])(
    'is refused as %j [feed-resume]',
    text => {
      expect(FeedCursor.safeParse(text).success).toBe(false)
    },
  )
})
