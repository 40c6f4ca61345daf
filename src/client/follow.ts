import { setTimeout as delay } from 'node:timers/promises'
import type { AgentLogItem } from '../contract/agent-detail.ts'
import type { ErrorCode } from '../contract/error-codes.ts'
import { RehoboamError } from '../contract/errors.ts'
import type { FeedEnd, FeedItem } from '../contract/feed.ts'
import type { Daemon } from './ask.ts'
import type { Ask } from './failure.ts'
import { serverSent } from './sse.ts'

// A daemon that dies at once again and again is its supervisor's matter; asking it more often would not help.
const AGAIN_AFTER_MS = 100
const AWAY: readonly ErrorCode[] = ['daemon-down', 'daemon-lost', 'daemon-stopping']

/** Follows a run, from its beginning or from a cursor. */
export function followRun(daemon: Daemon, run: string, signal: AbortSignal, from = ''): AsyncGenerator<FeedItem> {
  return follow(daemon, `/v1/runs/${encodeURIComponent(run)}/feed?`, signal, runGoesOn(run), from)
}

/** All of a run that there is now, also what its running turn has said so far. */
export async function* readRun(daemon: Daemon, run: string, signal: AbortSignal): AsyncGenerator<FeedItem> {
  const address = `/v1/runs/${encodeURIComponent(run)}/feed?follow=0&`
  for await (const item of follow<FeedItem | FeedEnd>(daemon, address, signal, runGoesOn(run))) {
    if ('isAll' in item) return
    yield item
  }
}

/** Follows an agent's log. */
export function followAgent(daemon: Daemon, session: string, signal: AbortSignal): AsyncGenerator<AgentLogItem> {
  const meanwhile = `the agent goes on, and rehoboam logs -f ${session.slice(0, 8)} follows it again`
  return follow(daemon, `/v1/agents/${encodeURIComponent(session)}/log?`, signal, meanwhile)
}

/** What is said when the daemon is gone for good and a run is not. */
export function runGoesOn(run: string): string {
  return `run ${run} goes on, and rehoboam logs -f ${run} follows it again`
}

/** Asks as one who follows: a daemon that was told to stop is not started again. Null when the reader left. */
export async function askOn<T>(daemon: Daemon, ask: Ask, signal: AbortSignal, meanwhile: string): Promise<T | null> {
  while (!signal.aborted) {
    try {
      return await daemon.askRunning<T>(ask)
    } catch (error) {
      if (!isAway(error)) throw error
    }
    await delay(AGAIN_AFTER_MS, undefined, { signal }).catch(() => {})
    await daemon.comesBack(signal, meanwhile)
  }
  return null
}

/** When the daemon dies or is replaced, it is asked again, from the last item that was seen. */
async function* follow<T>(
  daemon: Daemon,
  address: string,
  signal: AbortSignal,
  meanwhile: string,
  from = '',
): AsyncGenerator<T> {
  let cursor = from
  await daemon.ready()
  while (!signal.aborted) {
    try {
      const path = `${address}${cursor ? `after=${cursor}` : ''}`
      for await (const { id, data } of serverSent(await daemon.open(path, signal))) {
        cursor = id
        yield { cursor, ...JSON.parse(data) } as T
      }
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof RehoboamError && !isAway(error)) throw error
    }
    await delay(AGAIN_AFTER_MS, undefined, { signal }).catch(() => {})
    await daemon.comesBack(signal, meanwhile)
  }
}

function isAway(error: unknown): boolean {
  return error instanceof RehoboamError && AWAY.includes(error.code)
}
