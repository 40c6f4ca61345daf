import { setTimeout as delay } from 'node:timers/promises'
import { RehoboamError } from '../contract/errors.ts'
import type { WatchItem } from '../contract/watch.ts'
import type { Daemon } from './ask.ts'
import { serverSent } from './sse.ts'

const AGAIN_AFTER_MS = 100
// A daemon that was stopped on purpose comes back when somebody starts it: a person notices a second.
const LOOK_EVERY_MS = 1_000

/** What those who watch everything get: what the daemon sends, and between that, that it is away and why. */
export type Watched = WatchItem | { type: 'away'; why: string | null }

/**
 * Watches everything until the reader leaves. When the daemon dies it is waited for, or started when nobody else
 * does; when it was stopped on purpose it stays away until somebody starts it. Then everything is sent anew.
 */
export async function* watchAll(daemon: Daemon, signal: AbortSignal): AsyncGenerator<Watched> {
  await daemon.ready()
  while (!signal.aborted) {
    try {
      for await (const { data } of serverSent(await daemon.open('/v1/watch', signal)))
        yield JSON.parse(data) as WatchItem
    } catch (error) {
      if (signal.aborted) return
      // A refusal that is no absence would come again and again.
      if (error instanceof RehoboamError && !error.code.startsWith('daemon-')) throw error
    }
    yield { type: 'away', why: null }
    await delay(AGAIN_AFTER_MS, undefined, { signal }).catch(() => {})
    try {
      await daemon.comesBack(signal, 'rehoboam daemon start starts it again')
    } catch (error) {
      yield { type: 'away', why: (error as Error).message }
      await thereAgain(daemon, signal)
    }
  }
}

async function thereAgain(daemon: Daemon, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const status = await daemon.askRunning({ path: '/v1/status' }).catch(() => null)
    if (status) return
    await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => {})
  }
}
