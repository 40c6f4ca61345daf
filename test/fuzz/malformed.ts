import { randomUUID } from 'node:crypto'
import { NO_SURROUNDINGS } from '../../src/contract/agent.ts'
import type { Random } from '../runtime/lane/random.ts'

/** One request that must be refused. */
export type Shot = {
  door: 'socket' | 'loopback'
  method: string
  path: string
  headers: Record<string, string>
  body: Buffer | null
}

export type Target = { run: string; directory: string; port: number }

/** Wrong in the way of a broken program, a curious one, or a hostile one: by chance, and never by chance right. */
export function malformed(random: Random, target: Target): Shot {
  const shot: Shot = { door: 'socket', method: 'POST', path: '/', headers: { host: 'rehoboam' }, body: null }
  switch (random.weighted({ broken: 30, wrong: 40, nowhere: 12, unknown: 8, loopback: 10, huge: 0.15 })) {
    case 'broken':
      return { ...shot, path: random.pick(posts(target)).path, body: brokenJson(random, target) }
    case 'wrong': {
      const { path, body } = random.pick(posts(target))
      return { ...shot, path, body: Buffer.from(jsonOf(spoilt(random, body), random)) }
    }
    case 'nowhere':
      return { ...shot, method: random.pick(METHODS), path: nowhere(random), body: maybeBody(random, target) }
    case 'unknown':
      return { ...shot, ...unknownRun(random, target) }
    case 'loopback':
      return { ...shot, ...atLoopback(random, target) }
    case 'huge':
      return {
        ...shot,
        path: random.pick(posts(target)).path,
        body: Buffer.alloc(random.between(4_000_001, 6_000_000), 'a'),
      }
  }
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND', 'HEAD']

/** Every door that takes a body, with one that it would take. */
function posts({ run, directory }: Target): { path: string; body: Record<string, unknown> }[] {
  const environment = { PATH: '/bin', HOME: directory }
  const spawn = {
    request: randomUUID(),
    prompt: 'do it',
    directory,
    environment,
    flags: { model: 'opus' },
    arguments: [],
  }
  return [
    { path: '/v1/runs', body: spawn },
    { path: `/v1/runs/${run}/tell`, body: { text: 'hear' } },
    { path: `/v1/runs/${run}/resume`, body: { text: 'go on', environment } },
    { path: '/v1/config/list', body: { directory, environment } },
    { path: '/v1/config/set', body: { directory, environment, key: 'model', value: 'opus', where: 'user' } },
    { path: '/v1/stop', body: { version: null } },
    { path: '/v1/hook', body: { id: randomUUID(), at: 1, isHeld: false, where: NO_SURROUNDINGS, hook: {} } },
    { path: '/v1/inbox/mute', body: { forMs: 1 } },
    { path: '/v1/inbox/refused', body: { command: 'allow', question: null, session: null, run: null } },
    { path: '/v1/inbox/none/answer', body: { answer: { kind: 'allow' }, face: 'cli' } },
    { path: '/v1/rules', body: { text: 'Bash(ls)', effect: 'allow', scope: { kind: 'always' }, face: 'cli' } },
    { path: '/v1/rules/remove', body: { id: 'none', face: 'cli' } },
    {
      path: '/v1/init/list',
      body: { directory, environment, program: { node: '/bin/node', script: '/bin/rehoboam' } },
    },
    {
      path: '/v1/init/install',
      body: { directory, environment, program: { node: '/bin/node', script: '/bin/rehoboam' }, place: 'project' },
    },
    {
      path: '/v1/doctor',
      body: { directory, environment, program: { node: '/bin/node', script: '/bin/rehoboam' } },
    },
  ]
}

/** One field missing, too many, or of a type that is wrong for every field there is. */
export function spoilt(random: Random, body: Record<string, unknown>): unknown {
  const keys = Object.keys(body)
  const key = random.pick(keys)
  switch (random.weighted({ missing: 2, extra: 2, typed: 8, whole: 2 })) {
    case 'missing':
      return Object.fromEntries(Object.entries(body).filter(([name]) => name !== key))
    case 'extra':
      return { ...body, [random.pick(['__proto__x', 'constructor', 'Prompt', '', ' ', 'x'.repeat(5000)])]: 1 }
    case 'typed':
      return { ...body, [key]: wrongValue(random, typeof body[key]) }
    case 'whole':
      return random.pick([null, true, 7, 'text', [], [body], {}, [[[]]], '', DEEP])
  }
}

/** Neither a text, nor a list of texts, nor a record of texts, nor null; and no number where a number belongs. */
function wrongValue(random: Random, right: string): unknown {
  const wrong: unknown[] = [
    random.between(-1e9, 1e9),
    1e308,
    true,
    false,
    [random.next()],
    [[]],
    [null],
    { a: 1 },
    { a: null },
    { a: { b: [] } },
    { ['x'.repeat(2000)]: 3 },
    Array.from({ length: large(random, 5_000) }, () => ({})),
    DEEP,
  ]
  return random.pick(wrong.filter(value => typeof value !== right || typeof value === 'object'))
}

const DEEP = [['deep']]

/** JSON that is nested deeper than anything could write it that calls itself. */
function jsonOf(value: unknown, random: Random): string {
  const depth = large(random, 20_000)
  return JSON.stringify(value).replace('[["deep"]]', () => `${'[{"a":'.repeat(depth)}1${'}]'.repeat(depth)}`)
}

/** Now and then as large as that, mostly a hundredth of it: fifty thousand large ones prove no more and take minutes. */
function large(random: Random, most: number): number {
  return random.between(1, random.chance(0.02) ? most : most / 100)
}

/** No JSON at all. */
function brokenJson(random: Random, target: Target): Buffer {
  const text = JSON.stringify(random.pick(posts(target)).body)
  switch (random.weighted({ cut: 6, bytes: 4, tail: 2, deep: 1, empty: 1, words: 3, encoded: 1 })) {
    case 'cut':
      return Buffer.from(text.slice(0, random.between(1, text.length - 1)))
    case 'bytes':
      return Buffer.concat([Buffer.from([0xff, 0x00]), random.bytes(random.between(0, 200))])
    case 'tail':
      return Buffer.from(`${text}${random.pick(['}', ',', '{}', ' x', '\0', '//'])}`)
    case 'deep':
      return Buffer.from(random.pick(['[', '{"a":']).repeat(large(random, 100_000)))
    case 'empty':
      return Buffer.from(random.pick(['', ' ', '\n\n', '\t']))
    case 'words':
      return Buffer.from(
        random.pick(['undefined', 'NaN', "{'a':1}", '{a:1}', '1e', '--1', '"\\x"', '"a\nb"', '[1,]', '01']),
      )
    case 'encoded':
      return Buffer.from(text, 'utf16le')
  }
}

/** Addresses at which nothing is. */
function nowhere(random: Random): string {
  const odd = random.pick([
    '/',
    '//',
    '/v1',
    '/v1/',
    '/v2/runs',
    '/v1/runs/a/b/c',
    '/../../etc/passwd',
    '/v1/%2e%2e/%2e%2e/etc/passwd',
    '/%00',
    '/v1/statu%73x',
    '/v1/nothing?x=%E0%A4%A',
    '/%',
    '/%zz',
    '/v1/\u00e9'.normalize('NFC').replace('\u00e9', '%C3%A9'),
  ])
  return random.chance(0.5) ? odd : `/${random.bytes(random.between(1, 200)).toString('base64url')}`
}

function maybeBody(random: Random, target: Target): Buffer | null {
  return random.chance(0.5) ? brokenJson(random, target) : null
}

/** Runs that do not exist, and places to go on from that are none. */
function unknownRun(random: Random, { run }: Target): Pick<Shot, 'method' | 'path'> {
  const ids = [
    'zzzzzzz0',
    'ZZZ',
    '%00',
    '..',
    '%2e%2e%2f',
    'a b'.replace(' ', '%20'),
    '%E0%A4%A',
    'x'.repeat(3000),
    '-1',
    '__proto__',
  ]
  const cursors = ['x', '-1.0.0', '1.2', '1.2.3.4', '9'.repeat(40), '%00', '1e3.0.0', '', ' ', '0x1.0.0']
  if (random.chance(0.5))
    return { method: 'GET', path: `/v1/runs/${run}/feed?after=${encodeURIComponent(random.pick(cursors))}` }
  return random.pick([
    { method: 'GET', path: `/v1/runs/${random.pick(ids)}` },
    { method: 'GET', path: `/v1/runs/${random.pick(ids)}/feed` },
    { method: 'POST', path: `/v1/runs/${random.pick(ids)}/cancel` },
    { method: 'POST', path: `/v1/runs/${run}/${random.pick(['cancel', 'pause'])}` },
  ])
}

/** The door on loopback, without a token that fits, or under a name that is not ours. */
function atLoopback(random: Random, { port, directory, run }: Target): Partial<Shot> {
  const session = randomUUID()
  const token = random.pick([
    '',
    'Bearer',
    'Bearer ',
    `Bearer ${session}`,
    `Bearer ${session}.${'A'.repeat(43)}`,
    `Bearer ${'.'.repeat(5000)}`,
    'Basic eDp5',
  ])
  const host = random.pick([`127.0.0.1:${port}`, `localhost:${port}`, 'evil.example', `127.0.0.1:${port + 1}`])
  const origin = random.pick(['', 'http://evil.example', 'null', `http://127.0.0.1:${port}`])
  const { path } = random.pick(posts({ run, directory, port }))
  return {
    door: 'loopback',
    method: random.pick(METHODS),
    path: random.pick([path, '/v1/status', '/v1/session', '/v1/runs', '/v1/hook', nowhere(random)]),
    headers: { host, ...(token ? { authorization: token } : {}), ...(origin ? { origin } : {}) },
  }
}
