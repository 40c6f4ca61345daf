import { afterAll, beforeAll, expect, test } from 'vitest'
import { Random } from '../runtime/lane/random.ts'
import { PLAYS_ALL } from '../support/plays-all.ts'
import { type Measured, measuredDaemon } from './measured.ts'
import { type Reply, Wire } from './wire.ts'

let daemon: Measured
beforeAll(async () => {
  daemon = await measuredDaemon()
})
afterAll(() => daemon[Symbol.asyncDispose]())

const SEED = 7_041_776
const COUNT = PLAYS_ALL ? 2_000 : 500

const CRLF = '\r\n'
const head = (...lines: string[]) => [...lines, '', ''].join(CRLF)
const POST = 'POST /v1/runs HTTP/1.1'
const HOST = 'host: rehoboam'

/** What no HTTP client would ever send. The connection's writing side is closed behind it, so nothing more can come. */
const GARBAGE: Record<string, (random: Random) => Buffer> = {
  'random bytes': random => random.bytes(random.between(1, 2_000)),
  'no HTTP at all': random =>
    Buffer.from(random.pick(['hello\n', '\0\0\0\0', 'SSH-2.0-OpenSSH_9.6\r\n', '{"a":1}\n', '\n\n\n'])),
  'TLS hello': random => Buffer.concat([Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3]), random.bytes(512)]),
  'HTTP/2 preface': () => Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  'a request cut off': random => {
    const whole = `${head(POST, HOST, 'content-length: 40')}{"request":"x"}`
    return Buffer.from(whole.slice(0, random.between(1, whole.length)))
  },
  'a length that is none': random =>
    Buffer.from(
      head(POST, HOST, `content-length: ${random.pick(['-1', '1e3', '0x10', 'ten', '99999999999999999999', ''])}`),
    ),
  'two lengths': () => Buffer.from(`${head(POST, HOST, 'content-length: 2', 'content-length: 3')}{}`),
  'a length and chunks': () =>
    Buffer.from(`${head(POST, HOST, 'content-length: 2', 'transfer-encoding: chunked')}0${CRLF}${CRLF}`),
  'chunks that are none': random =>
    Buffer.from(
      `${head(POST, HOST, 'transfer-encoding: chunked')}${random.pick(['zz', '-5', 'ffffffffffffffffff', '5\r\nab'])}${CRLF}{}`,
    ),
  'chunks without an end': () => Buffer.from(`${head(POST, HOST, 'transfer-encoding: chunked')}2${CRLF}{}${CRLF}`),
  'a header of a megabyte': () => Buffer.from(head('GET /v1/status HTTP/1.1', HOST, `x: ${'y'.repeat(1_000_000)}`)),
  'a hundred thousand headers': () =>
    Buffer.from(head('GET /v1/status HTTP/1.1', HOST, ...Array.from({ length: 100_000 }, (_, n) => `x${n}: 1`))),
  'an address of a megabyte': () => Buffer.from(head(`GET /${'a'.repeat(1_000_000)} HTTP/1.1`, HOST)),
  'a header that is none': random =>
    Buffer.from(
      head(
        'GET /v1/status HTTP/1.1',
        HOST,
        random.pick(['no colon', ': no name', 'a b: c', 'x: \x01\x00', '\u00e9: 1']),
      ),
    ),
  'an unknown version': random =>
    Buffer.from(head(`GET /v1/nothing HTTP/${random.pick(['0.9', '3.0', 'x', '1.11'])}`, HOST)),
  'an unknown method': random =>
    Buffer.from(head(`${random.pick(['FETCH', 'get', '\u00dc', 'A'.repeat(500)])} /v1/status HTTP/1.1`, HOST)),
  'an address that is none': random =>
    Buffer.from(
      head(`GET ${random.pick(['*', 'status', 'http://[', 'http://a:b:c/', '\\v1\\status', '/\x7f'])} HTTP/1.1`, HOST),
    ),
  'no host': () => Buffer.from(head('GET /v1/nothing HTTP/1.1')),
  'two hosts': () => Buffer.from(head('GET /v1/nothing HTTP/1.1', HOST, 'host: other')),
  'a host that is none': random =>
    Buffer.from(head('GET /v1/nothing HTTP/1.1', `host: ${random.pick(['a b', '[', 'x\\y', '@'])}`)),
  'expects the impossible': () => Buffer.from(head(POST, HOST, 'expect: the-moon', 'content-length: 2')),
  'wants to speak something else': () =>
    Buffer.from(
      head('GET /v1/nothing HTTP/1.1', HOST, 'connection: upgrade', 'upgrade: websocket', 'sec-websocket-key: x'),
    ),
  'wants a tunnel': () => Buffer.from(head('CONNECT example.org:443 HTTP/1.1', HOST)),
}
const LARGE = new Set(['a header of a megabyte', 'a hundred thousand headers', 'an address of a megabyte'])

test(`${COUNT} connections full of garbage: each is refused or closed, and the daemon goes on (seed ${SEED}) [fuzz-api]`, async () => {
  const random = new Random(SEED)
  const doors = [{ path: daemon.socket }, { host: '127.0.0.1', port: daemon.port }]
  const wrong: string[] = []
  let sent = 0
  const one = async () => {
    while (sent++ < COUNT) {
      const kind = random.pick(Object.keys(GARBAGE))
      if (LARGE.has(kind) && random.chance(0.9)) continue
      const wire = new Wire(random.pick(doors))
      const answer = await wire.send(GARBAGE[kind]!(random), { end: true }).catch((error): string => error.message)
      if (!isRefusal(answer)) wrong.push(`${kind}: ${JSON.stringify(answer)}`)
      wire.close()
    }
  }
  await Promise.all(Array.from({ length: 16 }, one))
  expect(wrong).toEqual([])
  expect(daemon.isAlive()).toBe(true)
  expect(daemon.log()).not.toMatch(/ failed: (?!Error: aborted)/)
  expect(await daemon.ask('GET', '/v1/runs')).toEqual([])
})

/** A 4xx, or nothing: there is nobody to explain anything to who does not speak HTTP. */
function isRefusal(answer: Reply | string | null): boolean {
  return answer === null || (typeof answer === 'object' && answer.status >= 400 && answer.status < 500)
}

test('half requests that are held open keep nobody else waiting [fuzz-api]', async () => {
  const halves = Array.from({ length: 200 }, (_, n) => {
    const wire = new Wire(n % 2 ? { path: daemon.socket } : { host: '127.0.0.1', port: daemon.port })
    void wire.send(Buffer.from(`${head(POST, HOST, 'content-length: 1000')}{"request":`)).catch(() => {})
    return wire
  })
  for (let n = 0; n < 20; n++) expect(await daemon.ask('GET', '/v1/status')).toMatchObject({ home: daemon.home })
  for (const wire of halves) wire.close()
})
