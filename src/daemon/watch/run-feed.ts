import type { Stamped } from '../../contract/event.ts'
import { type Cursor, cursorText, type FeedEnd, type FeedItem } from '../../contract/feed.ts'
import { parseStreamLine } from '../../contract/stream.ts'
import type { Run } from '../runtime/live-run.ts'
import { TurnOutput } from './turn-output.ts'

/**
 * A run's events and output from a cursor on, and then as they come, until the reader leaves or has all. Output stands where it
 * belongs: before the event that was made from it. Both come from files, so a cursor is good across restarts.
 */
export async function* feedOf(
  run: Run,
  directory: string,
  from: Cursor,
  signal: AbortSignal,
  follows = true,
): AsyncGenerator<FeedItem | FeedEnd> {
  let { seq } = from
  const output = new TurnOutput(directory, from.turn, from.offset, run.record.state.spec.lineLimitBytes)
  let news = Promise.withResolvers<void>()
  const tell = () => news.resolve()
  const leave = run.listen(tell)
  signal.addEventListener('abort', tell)
  const here = () => cursorText({ seq, turn: output.turn, offset: output.offset })
  try {
    while (!signal.aborted) {
      news = Promise.withResolvers()
      output.onChange(tell)
      for (const event of await run.eventsAfter(seq)) {
        const turn = turnOf(event)
        if (turn > output.turn) await output.open(turn)
        if (turn === output.turn) yield* said(output.upTo(meantUpTo(event), event.type === 'session-ended'))
        seq = event.seq
        if (event.type === 'session-ended') await output.close()
        yield { cursor: here(), event }
      }
      yield* said(output.upTo(Number.POSITIVE_INFINITY, false))
      if (!follows) return yield { cursor: here(), isAll: true }
      await news.promise
    }
  } finally {
    leave()
    await output.close()
  }

  async function* said(lines: AsyncGenerator<string | null>): AsyncGenerator<FeedItem> {
    for await (const line of lines) {
      const parsed =
        line === null ? ({ type: 'garbage', reason: 'a line over the limit' } as const) : parseStreamLine(line)
      yield { cursor: here(), output: parsed, turn: output.turn }
    }
  }
}

function turnOf(event: Stamped): number {
  return 'turn' in event ? event.turn : 0
}

/** The output that an event was made from ends here. */
function meantUpTo(event: Stamped): number {
  if (event.type === 'session-reported') return event.report.offset
  return event.type === 'session-ended' ? event.outputBytes : 0
}
