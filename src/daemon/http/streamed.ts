import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'

// Something must move now and then, or a reader behind a proxy, and we ourselves, would not notice that the other is gone.
const HEARTBEAT_MS = 15_000

/** Items as server-sent events, each with its cursor as id, until there are no more or the reader leaves. */
export function streamed<T extends { cursor: string }>(
  c: Context,
  stopping: AbortSignal,
  items: (signal: AbortSignal) => AsyncGenerator<T>,
): Response {
  return streamSSE(c, async stream => {
    const left = new AbortController()
    const signal = AbortSignal.any([left.signal, stopping])
    stream.onAbort(() => left.abort())
    const beat = setInterval(() => void stream.write(': \n\n'), HEARTBEAT_MS)
    try {
      for await (const { cursor, ...item } of items(signal)) {
        await stream.writeSSE({ id: cursor, data: JSON.stringify(item) })
      }
    } finally {
      clearInterval(beat)
      left.abort()
    }
  })
}
