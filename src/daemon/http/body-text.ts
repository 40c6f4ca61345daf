import type { IncomingMessage } from 'node:http'
import { RehoboamError } from '../../contract/errors.ts'

/** Throws when the Content-Length of a request is over the limit. */
export function requireFitting(request: IncomingMessage, limitBytes: number): void {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes)
}

/** A request's body, when it is no longer than the limit. */
export function bodyText(request: IncomingMessage, limitBytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let parts: Buffer[] = []
    let length = 0
    request.on('data', (part: Buffer) => {
      length += part.length
      if (length <= limitBytes) parts.push(part)
      else {
        parts = []
        reject(tooLarge(limitBytes))
      }
    })
    request.on('end', () => resolve(textOf(parts)))
    request.on('error', reject)
  })
}

// A sender of more than this may be cut off before it has read its refusal.
const MOST_DROPPED = 64_000_000

/**
 * Reads the rest of a body and drops it, up to 64 MB: a sender whose connection is closed while it still writes may never
 * read the answer. The server's own time limit ends a slow sender.
 */
export async function dropBody(request: IncomingMessage): Promise<void> {
  if (Number(request.headers['content-length'] ?? 0) > MOST_DROPPED || request.readableEnded || request.destroyed)
    return
  await new Promise<void>(resolve => {
    let length = 0
    request.on('data', (part: Buffer) => {
      length += part.length
      if (length > MOST_DROPPED) resolve()
    })
    request
      .once('end', resolve)
      .once('close', resolve)
      .on('error', () => {})
    request.resume()
  })
}

/** Mostly it came in one piece. */
function textOf(parts: Buffer[]): string {
  return (parts.length === 1 ? parts[0]! : Buffer.concat(parts)).toString('utf8')
}

export function tooLarge(limitBytes: number): RehoboamError {
  return new RehoboamError('body-too-large', `a body has at most ${limitBytes} bytes`)
}
