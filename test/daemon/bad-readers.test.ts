import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { scriptClient, spawnRun, untilStatus } from '../session/runs.ts'
import { type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { isEnd, nameOf, openFeed, readFeed } from './feed-reader.ts'
import { killDaemon } from './processes.ts'

// Far more than socket buffers hold. Four readers who do not read would cost four times as much.
const OUTPUT_MB = 16

test('readers who do not read cost no memory and make nobody wait, and get everything when they do [feed-slow-reader]', async () => {
  await using home = await tempHome()
  const run = await chattyRun(home, OUTPUT_MB)
  // A daemon that has not read that output itself: what it holds from now on is for its readers.
  await killDaemon(home)
  const whole = await readFeed(home, run, null, isEnd)
  const before = memoryMb(home)

  const slow = await Promise.all(Array.from({ length: 4 }, () => openFeed(home, run, null)))
  for (const answer of slow) answer.pause()
  const others = await Promise.all(Array.from({ length: 2 }, () => readFeed(home, run, null, isEnd)))
  for (const items of others) expect(items.map(nameOf)).toEqual(whole.map(nameOf))
  expect(memoryMb(home) - before).toBeLessThan(2 * OUTPUT_MB)
  expect((await home.rehoboam(['runs', '--json'])).code).toBe(0)

  let bytes = 0
  slow[0]!.on('data', part => {
    bytes += part.length
  })
  slow[0]!.resume()
  await until(() => bytes > OUTPUT_MB * 1_000_000, 'the slow one to get everything')
  for (const answer of slow) answer.destroy()
})

test('a reader who goes away in the middle leaves nothing behind [feed-slow-reader]', async () => {
  await using home = await tempHome()
  const run = await chattyRun(home, 2)
  const before = openFiles(home)
  for (let n = 0; n < 20; n++) {
    const answer = await openFeed(home, run, null)
    await once(answer, 'data')
    answer.destroy()
  }
  await until(() => openFiles(home) <= before, 'its files and connections to be closed')
})

test('half a request, on either door, makes nobody wait [daemon-half-request]', async () => {
  await using home = await tempHome()
  await home.rehoboam(['daemon', 'start'])
  const { port, socket } = home.daemon.registration()!
  const halves = [
    '',
    'GET /v1/st',
    'POST /v1/runs HTTP/1.1\r\nhost: x\r\n',
    'POST /v1/runs HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{"request":',
  ]
  const open = [...halves, ...halves].flatMap(text => [
    opened(connect(socket), text),
    opened(connect(port, '127.0.0.1'), text),
  ])
  await Promise.all(open.map(half => once(half, 'connect')))

  const answered = await Promise.all(Array.from({ length: 5 }, () => home.rehoboam(['runs', '--json'])))
  for (const ended of answered) expect(ended).toMatchObject({ code: 0, out: '[]\n', err: '' })
  // And the daemon ends at once all the same.
  expect(await home.rehoboam(['daemon', 'stop'])).toMatchObject({ code: 0, err: '' })
  for (const half of open) half.destroy()
})

test('what is not HTTP is refused, and the daemon goes on [daemon-half-request]', async () => {
  await using home = await tempHome()
  await home.rehoboam(['daemon', 'start'])
  const { pid, port, socket } = home.daemon.registration()!
  for (const text of ['\0\0\0\0\r\n\r\n', 'HELO there\r\n\r\n', `GET /${'x'.repeat(100_000)} HTTP/1.1\r\n\r\n`]) {
    for (const to of [connect(socket), connect(port, '127.0.0.1')]) {
      const half = opened(to, text)
      half.resume()
      await new Promise(resolve => half.once('close', resolve))
    }
  }
  expect(JSON.parse((await home.rehoboam(['daemon', 'status', '--json'])).out).pid).toBe(pid)
})

/** A run whose client has said very much. */
async function chattyRun(home: TempHome, megabytes: number): Promise<string> {
  const client = scriptClient(
    home,
    'chatty-client',
    `text=$(head -c 3000 /dev/zero | tr '\\0' x)
     yes "$text" | head -n ${Math.ceil((megabytes * 1_000_000) / 3000)} | sed 's/.*/{"type":"assistant","session_id":"s","message":{"content":[{"type":"text","text":"&"}]}}/'
     echo '{"type":"result","session_id":"s","subtype":"success","is_error":false,"result":"Done."}'`,
  )
  const run = await spawnRun(home, 'Talk', [], { REHOBOAM_CLAUDE: client })
  await untilStatus(home, run, 'complete')
  return run
}

function opened(socket: Socket, text: string): Socket {
  socket.on('error', () => {})
  socket.write(text)
  return socket
}

function memoryMb(home: TempHome): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${home.daemonPid()}/status`, 'utf8'))?.[1]) / 1000
}

function openFiles(home: TempHome): number {
  return readdirSync(`/proc/${home.daemonPid()}/fd`).length
}
