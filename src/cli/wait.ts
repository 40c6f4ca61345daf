import { followRun } from '../client/follow.ts'
import type { FeedItem } from '../contract/feed.ts'
import type { RunDetail, RunStatus } from '../contract/run.ts'
import { outputLines } from '../view/output-line.ts'
import { EXIT_CODES, endWords, eventWords } from '../view/run-words.ts'
import type { Face } from './face.ts'

/** Prints a run as it goes, and gives its exit code when it has ended or waits for a person. Ctrl-C cancels it. */
export async function waitForRun(face: Face, id: string, { json }: { json: boolean }): Promise<number> {
  const following = new AbortController()
  const stopListening = onInterrupt(async () => {
    face.out.note('cancelling; again to leave at once (the run then ends by itself)')
    await face.daemon.ask({ method: 'POST', path: `/v1/runs/${id}/cancel`, body: {} }).catch(() => {})
  })
  try {
    for await (const item of followRun(face.daemon, id, following.signal)) {
      print(face, item, json)
      if (!mayBeTheEnd(item)) continue
      const run = await face.daemon.ask<RunDetail>({ path: `/v1/runs/${id}` })
      if (run.status === 'active' || item.event.seq < run.seq) continue
      if (json) face.out.jsonLine({ run })
      else conclude(face, run)
      return stopListening.interrupted() ? 130 : EXIT_CODES[run.status]
    }
    return 1
  } finally {
    stopListening()
    following.abort()
  }
}

/** Prints what there is; with `follow`, goes on until the run has ended or the reader leaves. */
export async function printLog(
  face: Face,
  id: string,
  { json, follow }: { json: boolean; follow: boolean },
): Promise<void> {
  const following = new AbortController()
  const stopListening = onInterrupt(async () => following.abort())
  const run = await face.daemon.ask<RunDetail>({ path: `/v1/runs/${id}` })
  const isLast = (status: RunStatus) => !follow || status !== 'active'
  let target = isLast(run.status) ? run.seq : Number.POSITIVE_INFINITY
  try {
    if (target === 0) return
    for await (const item of followRun(face.daemon, run.id, following.signal)) {
      print(face, item, json)
      if (!('event' in item)) continue
      if (item.event.seq >= target) return
      if (target === Number.POSITIVE_INFINITY && mayBeTheEnd(item)) {
        const now = await face.daemon.ask<RunDetail>({ path: `/v1/runs/${run.id}` })
        if (isLast(now.status)) target = now.seq
        if (item.event.seq >= target) return
      }
    }
  } finally {
    stopListening()
    following.abort()
  }
}

function print(face: Face, item: FeedItem, json: boolean): void {
  if (json) face.out.jsonLine(item)
  else if ('event' in item) {
    const words = eventWords(item.event)
    if (words) face.out.line(words, 'note')
  } else {
    for (const { tone, text } of outputLines(item.output)) face.out.line(text, tone)
  }
}

function conclude(face: Face, run: RunDetail): void {
  for (const note of run.notes) face.out.note(`note: ${note}`)
  face.out.line(endWords(run, Date.now()), run.status === 'complete' ? 'good' : 'fail')
}

/** Only these events can end a run or stop it; asking after each of the others would be noise. */
function mayBeTheEnd(item: FeedItem): item is Extract<FeedItem, { event: unknown }> {
  if (!('event' in item)) return false
  return ['session-ended', 'session-not-started', 'cancel-requested', 'pause-requested', 'timer-fired'].includes(
    item.event.type,
  )
}

/** The first Ctrl-C is ours to handle, the second leaves at once. A closed terminal changes nothing for the run. */
function onInterrupt(first: () => Promise<void>): { (): void; interrupted(): boolean } {
  let count = 0
  const handle = () => {
    count += 1
    if (count > 1) process.exit(130)
    void first()
  }
  process.on('SIGINT', handle)
  return Object.assign(() => void process.removeListener('SIGINT', handle), { interrupted: () => count > 0 })
}
