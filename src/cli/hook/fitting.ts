import { BODY_LIMIT } from '../../contract/body-limit.ts'
import { input } from '../../contract/stream-fields.ts'

/**
 * The request's body. An event may hold a picture, or a large file twice over: what the daemon would not read is cut here,
 * in the daemon's own way, so that it knows the call again when the client's own hook tells of it.
 */
export function fitting(facts: Record<string, unknown>, event: object): string {
  const whole = JSON.stringify({ ...facts, hook: event })
  if (fits(whole)) return whole
  const cut = JSON.stringify({ ...facts, hook: input(event), isCut: true })
  return fits(cut) ? cut : JSON.stringify({ ...facts, hook: smallOf(event), isCut: true })
}

function fits(body: string): boolean {
  // No text has more than three bytes for each of its characters, and counting costs as much as sending.
  return body.length * 3 <= BODY_LIMIT || Buffer.byteLength(body) <= BODY_LIMIT
}

// A path, an id, a mode, a name.
const SMALL = 5_000

/** Thousands of texts, none of them too long: then it is said who did what with which tool, and not with what. */
function smallOf(event: object): object {
  const small = Object.entries(event).filter(([, value]) => (JSON.stringify(value) ?? '').length <= SMALL)
  return Object.fromEntries(small.slice(0, 100))
}
