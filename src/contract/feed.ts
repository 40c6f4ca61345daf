import * as z from 'zod'
import type { Stamped } from './event.ts'
import type { StreamLine } from './stream.ts'

/** What those who follow a run are sent: its events, and between them the output of its sessions, in one order. */
export type FeedItem = { cursor: string; event: Stamped } | { cursor: string; output: StreamLine; turn: number }

/** For those who do not want to follow: this was all that there is now. Told from a daemon that died meanwhile. */
export type FeedEnd = { cursor: string; isAll: true }

/** Where a follower stands: after which event, in which turn's output, at which byte. It survives a restart. */
export type Cursor = { seq: number; turn: number; offset: number }

export const FeedCursor = z
  .string()
  .regex(/^\d{1,15}\.\d{1,9}\.\d{1,15}$/, 'a cursor is seq.turn.offset')
  .transform((text): Cursor => {
    const [seq, turn, offset] = text.split('.').map(Number) as [number, number, number]
    return { seq, turn, offset }
  })

export const START: Cursor = { seq: 0, turn: 0, offset: 0 }

export function cursorText({ seq, turn, offset }: Cursor): string {
  return `${seq}.${turn}.${offset}`
}
