import { requestSocket } from '../../src/client/socket.ts'
import { serverSent } from '../../src/client/sse.ts'
import type { FeedItem } from '../../src/contract/feed.ts'
import type { TempHome } from '../support/temp-home.ts'

/** What a reader of a feed sees, until `isLast` or until the daemon goes away. Items are told by what they are about. */
export async function readFeed(
  home: TempHome,
  run: string,
  after: string | null,
  isLast: (item: FeedItem) => boolean,
): Promise<FeedItem[]> {
  const left = new AbortController()
  const seen: FeedItem[] = []
  try {
    const answer = await openFeed(home, run, after, left.signal)
    for await (const { id, data } of serverSent(answer)) {
      const item = { cursor: id, ...JSON.parse(data) } as FeedItem
      seen.push(item)
      if (isLast(item)) break
    }
  } catch (error) {
    if (!/aborted|ECONNRESET|socket hang up/.test(String(error))) throw error
  } finally {
    left.abort()
  }
  return seen
}

export function openFeed(home: TempHome, run: string, after: string | null, signal?: AbortSignal) {
  const path = `/v1/runs/${run}/feed${after === null ? '' : `?after=${encodeURIComponent(after)}`}`
  return requestSocket(home.daemon.socket, { method: 'GET', path, ...(signal ? { signal } : {}) })
}

/** `event 3`, or `output 1 at 2834`: the same thing always has the same name, in whatever order it came. */
export function nameOf(item: FeedItem): string {
  const [, , offset] = item.cursor.split('.')
  return 'event' in item ? `event ${item.event.seq}` : `output ${item.turn} at ${offset}`
}

export const isEnd = (item: FeedItem) => 'event' in item && item.event.type === 'session-ended'
