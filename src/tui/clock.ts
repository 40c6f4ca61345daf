import { durationWords } from '../view/words.ts'

// How often a time that is shown is looked at again, by how old it is. Somebody who waits for seconds counts them for a
// moment; every look costs a frame, and a screen on which nothing happens must cost nothing.
const FRESH_MS = 10_000
const MINUTE_MS = 60_000
const EVERY_FRESH_MS = 1_000
const EVERY_SECONDS_MS = 5_000
const EVERY_MINUTES_MS = 20_000

/** What time it is in one picture. It hears which times are shown, and so knows when the picture is old. */
export class Clock {
  readonly now: number
  #everyMs = MINUTE_MS

  constructor(now: number) {
    this.now = now
  }

  /** When the next look is due: on whole seconds, so that a hundred times that are shown are one look and not a hundred. */
  get oldInMs(): number {
    return this.#everyMs - (this.now % this.#everyMs)
  }

  /** Time since then. */
  age(since: string | number | null): string {
    if (since === null) return ''
    const ms = Math.max(0, this.now - timeOf(since))
    this.#look(ms < FRESH_MS ? EVERY_FRESH_MS : ms < MINUTE_MS ? EVERY_SECONDS_MS : EVERY_MINUTES_MS)
    return shortWords(ms)
  }

  /** How long something took; as long as it has no end, how long it has taken. */
  took(from: string, to: string | null): string {
    const ms = (to === null ? this.now : timeOf(to)) - timeOf(from)
    if (to === null) this.#look(ms < FRESH_MS ? EVERY_FRESH_MS : EVERY_SECONDS_MS)
    // Something that has just begun has taken no time; milliseconds of it would only flicker.
    return to === null && ms < 1000 ? '0 s' : durationWords(ms)
  }

  /** How long it is until then. */
  until(at: string): string {
    this.#look(EVERY_SECONDS_MS)
    return durationWords(timeOf(at) - this.now)
  }

  /** Whether that moment is still to come. */
  isBefore(at: number): boolean {
    if (at > this.now) this.#look(EVERY_FRESH_MS)
    return at > this.now
  }

  /** When today began, where the reader is. */
  get midnight(): number {
    return new Date(this.now).setHours(0, 0, 0, 0)
  }

  #look(everyMs: number): void {
    this.#everyMs = Math.min(this.#everyMs, everyMs)
  }
}

/** In one unit and as short as it gets: it stands at the end of a thousand lines. */
export function shortWords(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m`
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`
}

function timeOf(at: string | number): number {
  return typeof at === 'number' ? at : Date.parse(at)
}
