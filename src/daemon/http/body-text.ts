import type { IncomingMessage } from 'node:http'
import { RehoboamError } from '../../contract/errors.ts'

// A sender of more than this may be cut off before it has read its refusal.
const MOST_DROPPED = 64_000_000

/**
 * Throws when the Content-Length of a request is over the limit. Reads such a body first and drops it, up to 64 MB: a sender
 * whose connection is closed while it still writes may never read the answer. The server's own time limit ends a slow sender.
 */
export async function requireFitting(request: IncomingMessage, limitBytes: number): Promise<void> {
  const length = Number(request.headers['content-length'] ?? 0)
  if (length <= limitBytes) return
  if (length <= MOST_DROPPED) await partsOf(request, 0)
  throw tooLarge(limitBytes)
}

/** Returns a request's body. Throws when it is over the limit, and then drops the rest of it as `requireFitting` does. */
export async function bodyText(request: IncomingMessage, limitBytes: number): Promise<string> {
  const parts = await partsOf(request, limitBytes)
  if (parts === null) throw tooLarge(limitBytes)
  return textOf(parts)
}

/** Null when there is more than the limit. Throws when the sender goes before the end. */
function partsOf(request: IncomingMessage, limitBytes: number): Promise<Buffer[] | null> {
  return new Promise((resolve, reject) => {
    let parts: Buffer[] = []
    let length = 0
    request.on('data', (part: Buffer) => {
      length += part.length
      if (length <= limitBytes) parts.push(part)
      else parts = []
      if (length > MOST_DROPPED) resolve(null)
    })
    request.on('end', () => resolve(length <= limitBytes ? parts : null))
    request.on('error', () => reject(new RehoboamError('bad-request', 'the body ended before it was whole')))
  })
}

/** Mostly it came in one piece. */
function textOf(parts: Buffer[]): string {
  return (parts.length === 1 ? parts[0]! : Buffer.concat(parts)).toString('utf8')
}

function tooLarge(limitBytes: number): RehoboamError {
  return new RehoboamError('body-too-large', `a body has at most ${limitBytes} bytes`)
}
