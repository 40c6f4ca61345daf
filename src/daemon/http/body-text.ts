import type { IncomingMessage } from 'node:http'
import { tooLarge } from './bounded.ts'

/** Who says that it has too much to say is believed. */
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

/** Mostly it came in one piece. */
function textOf(parts: Buffer[]): string {
  return (parts.length === 1 ? parts[0]! : Buffer.concat(parts)).toString('utf8')
}
