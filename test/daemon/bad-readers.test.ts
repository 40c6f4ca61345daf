import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say, turns } from '../../src/rehearsal/replies.ts'
import { eventsOf, scriptClient, spawnRun, untilStatus } from '../session/runs.ts'
import { type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { isEnd, nameOf, openFeed, readFeed } from './feed-reader.ts'
import { killDaemon, untilServes } from './processes.ts'

// Far more than socket buffers hold.
const OUTPUT_MB = 4

test('readers who do not read cost no memory and make nobody wait, and get everything when they do [feed-slow-reader]', async () => {
  await using home = await tempHome()
  const run = await chattyRun(home, OUTPUT_MB)
  // A daemon that has not read that output itself: what it holds from now on is for its readers.
  await killDaemon(home)
  const untouched = bytesReadBy(home)
  const whole = await readFeed(home, run, null, isEnd)
  const before = bytesReadBy(home)
  const bytesForOne = before - untouched
  expect(bytesForOne).toBeGreaterThan(OUTPUT_MB * 1_000_000)

  const slow = await Promise.all(Array.from({ length: 4 }, () => openFeed(home, run, null)))
  for (const answer of slow) answer.pause()
  const others = await Promise.all(Array.from({ length: 2 }, () => readFeed(home, run, null, isEnd)))
  for (const items of others) expect(items.map(nameOf)).toEqual(whole.map(nameOf))
  // What it holds for somebody it has read from the disk: all for the two who read, next to nothing for the four others.
  expect(bytesReadBy(home) - before).toBeLessThan(3 * bytesForOne)
  await home.daemon.askRunning({ path: '/v1/runs' })

  let bytes = 0
  slow[0]!.on('data', part => {
    bytes += part.length
  })
  slow[0]!.resume()
  await until(() => bytes > OUTPUT_MB * 1_000_000, 'the slow one to get everything')
  for (const answer of slow) answer.destroy()
})

test('readers who go away in the middle leave nothing behind, of a run that has ended and of a live one [feed-slow-reader]', async () => {
  await using home = await tempHome({ scenario: turns({}, say('Done.', { fault: { kind: 'hang', name: 'hold' } })) })
  const ended = await chattyRun(home, 2)
  await until(() => sameAs(costs(home, ended), NOTHING), 'its output to be read by nobody')
  await comeAndGo(home, ended, NOTHING)

  const live = await spawnRun(home, 'Do it')
  await home.model.waitFor(() => true)
  await until(() => eventsOf(home, live, 'session-reported').length, 'its output to be read by the daemon')
  const own = { connections: 0, files: 1, watches: 1 }
  await until(() => sameAs(costs(home, live), own), 'what the daemon itself needs')
  await comeAndGo(home, live, own)
  home.model.release('hold')
  await untilStatus(home, live, 'complete')
  await until(() => sameAs(costs(home, live), NOTHING), 'its watch to be ended with the run')
})

test('half a request, on either door, makes nobody wait [feed-slow-reader]', async () => {
  await using home = await tempHome()
  await home.daemon.ready()
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

  const answered = await Promise.all(Array.from({ length: 5 }, () => home.daemon.askRunning({ path: '/v1/runs' })))
  expect(answered).toEqual([[], [], [], [], []])
  // And the daemon ends at once all the same.
  await home.daemon.stop(null)
  for (const half of open) half.destroy()
})

test('what is not HTTP is refused, and the daemon goes on [feed-slow-reader]', async () => {
  await using home = await tempHome()
  await home.daemon.ready()
  const { pid, port, socket } = home.daemon.registration()!
  for (const text of ['\0\0\0\0\r\n\r\n', 'HELO there\r\n\r\n', `GET /${'x'.repeat(100_000)} HTTP/1.1\r\n\r\n`]) {
    for (const to of [connect(socket), connect(port, '127.0.0.1')]) {
      const half = opened(to, text)
      half.resume()
      await new Promise(resolve => half.once('close', resolve))
    }
  }
  expect(await untilServes(home)).toBe(pid)
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
  const run = await spawnRun(home, 'Talk', { env: { REHOBOAM_CLAUDE: client } })
  await untilStatus(home, run, 'complete')
  return run
}

function opened(socket: Socket, text: string): Socket {
  socket.on('error', () => {})
  socket.write(text)
  return socket
}

/** What the daemon has read so far, from files and connections. */
function bytesReadBy(home: TempHome): number {
  return Number(/rchar: (\d+)/.exec(readFileSync(`/proc/${home.daemonPid()}/io`, 'utf8'))?.[1])
}

/** What readers of a run's feed cost the daemon. All else that it has open comes and goes as it likes. */
type Costs = { connections: number; files: number; watches: number }
const NOTHING: Costs = { connections: 0, files: 0, watches: 0 }
const sameAs = (one: Costs, other: Costs) => JSON.stringify(one) === JSON.stringify(other)

async function comeAndGo(home: TempHome, run: string, before: Costs): Promise<void> {
  const READERS = 20
  const readers = await Promise.all(Array.from({ length: READERS }, () => openFeed(home, run, null)))
  for (const reader of readers) {
    await once(reader, 'data')
    reader.pause()
  }
  const { connections, files } = before
  await until(() => {
    const now = costs(home, run)
    return now.connections === connections + READERS && now.files === files + READERS
  }, 'all of them to be reading')
  for (const reader of readers) reader.destroy()
  await until(() => sameAs(costs(home, run), before), 'their connections and files to be closed')
}

function costs(home: TempHome, run: string): Costs {
  const process = `/proc/${home.daemonPid()}`
  const turn = join(home.home, 'runs', run, 'turns', '1')
  const open = readdirSync(`${process}/fd`).flatMap(fd => linkOf(`${process}/fd/${fd}`))
  // Those that are accepted; the one that listens has another state.
  const accepted = readFileSync('/proc/net/unix', 'utf8')
    .split('\n')
    .filter(line => line.endsWith(` ${home.daemon.socket}`))
    .flatMap(line => (line.split(/\s+/)[5] === '03' ? [`socket:[${line.split(/\s+/)[6]}]`] : []))
  const inode = statSync(turn).ino.toString(16)
  const watches = readdirSync(`${process}/fdinfo`).map(fd => textOf(`${process}/fdinfo/${fd}`))
  return {
    connections: open.filter(link => accepted.includes(link)).length,
    files: open.filter(link => link === join(turn, 'output.ndjson')).length,
    watches: watches.join('').split(`ino:${inode} `).length - 1,
  }
}

/** None when it was closed while we looked. */
function linkOf(path: string): string[] {
  try {
    return [readlinkSync(path)]
  } catch {
    return []
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
