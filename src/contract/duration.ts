import { RehoboamError } from './errors.ts'
import { quoted } from './printable.ts'

/** Milliseconds of `90s`, `30m`, `2h`, `1d`, `1h30m`. */
export function parseDuration(text: string): number {
  const ms = durationMs(text)
  if (ms !== null) return ms
  const unit = /^\s*\d+\s*$/.test(text) ? ` (${text.trim().slice(0, 9)} of what?)` : ''
  throw new RehoboamError(
    'duration-wrong',
    `${quoted(text)} is not a duration${unit}; write for example 90s, 30m, 2h, 1d or 1h30m, at most 365d`,
    { text: text.slice(0, 100) },
  )
}

const SECOND_MS = 1000
const DAY_MS = 24 * 60 * 60 * SECOND_MS
// Nobody waits for a run longer than a year: more is a slip of the finger. It also keeps sums far from 2^53.
const LONGEST_MS = 365 * DAY_MS

/** Null when it is none. */
export function durationMs(text: string): number | null {
  const parts = /^(?:(\d{1,9})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?$/.exec(text.trim())
  if (parts === null) return null
  const [days, hours, minutes, seconds] = parts.slice(1).map(part => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
  ]
  const ms = days * DAY_MS + ((hours * 60 + minutes) * 60 + seconds) * SECOND_MS
  return ms > 0 && ms <= LONGEST_MS ? ms : null
}
