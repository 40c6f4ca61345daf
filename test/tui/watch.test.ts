import { expect, test } from 'vitest'
import type { Daemon } from '../../src/client/ask.ts'
import { type Watched, watchAll } from '../../src/client/watch-everything.ts'
import { RehoboamError } from '../../src/contract/errors.ts'
import { Board } from '../../src/view/board.ts'
import { agent, NOW, told } from './stage.ts'

async function* sending(...items: unknown[]) {
  for (const item of items) yield `id: 1\ndata: ${JSON.stringify(item)}\n\n`
}

/** A daemon whose streams and absences come in this order; then its reader leaves. */
function daemonWith(streams: (() => AsyncGenerator<string>)[], back: (() => Promise<void>)[], left: AbortController) {
  let opened = 0
  return {
    ready: async () => {},
    open: async () => {
      const next = streams[opened++]
      if (next) return next()
      left.abort()
      throw new RehoboamError('daemon-lost', 'gone')
    },
    comesBack: async () => back.shift()?.(),
    askRunning: async () => ({}),
  } as unknown as Daemon
}

async function watched(daemon: Daemon, left: AbortController): Promise<Watched[]> {
  const items: Watched[] = []
  for await (const item of watchAll(daemon, left.signal)) items.push(item)
  return items
}

test('a stream that ends is followed by word of it, and by everything anew; one that was stopped says by whom it is started [tui-away]', async () => {
  const left = new AbortController()
  const changed = { type: 'changed', left: [], runs: [], inbox: null, happenings: [], omitted: 0 }
  const broken = async function* () {
    yield* sending(told(2), { ...changed, agents: [agent(5)] })
    throw new RehoboamError('daemon-lost', 'the connection broke')
  }
  const stopped = async () => {
    throw new RehoboamError('daemon-down', 'the daemon was stopped; rehoboam daemon start starts it again')
  }
  const daemon = daemonWith([broken, () => sending(told(3)), () => sending(told(1))], [async () => {}, stopped], left)
  const items = await watched(daemon, left)
  expect(items.map(item => (item.type === 'away' ? `away: ${item.why}` : item.type))).toEqual([
    'all',
    'changed',
    'away: null',
    'all',
    'away: null',
    'away: the daemon was stopped; rehoboam daemon start starts it again',
    'all',
    'away: null',
  ])
  // What was known before the connection broke is not counted a second time.
  const board = new Board()
  const counted = items.map(item => {
    if (item.type === 'away') board.lose(item.why, NOW)
    else board.take(item)
    return `${board.agents.size}${board.away ? ' away' : ''}`
  })
  expect(counted).toEqual(['2', '3', '3 away', '3', '3 away', '3 away', '1', '1 away'])
})

test('a refusal that is no absence is not asked for again and again [tui-away]', async () => {
  const left = new AbortController()
  const refusing = async function* (): AsyncGenerator<string> {
    yield* sending()
    throw new RehoboamError('command-old', 'this command is older than the daemon')
  }
  await expect(watched(daemonWith([refusing], [], left), left)).rejects.toThrow('older than the daemon')
})
