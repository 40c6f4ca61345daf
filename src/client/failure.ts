import { join } from 'node:path'
import { RehoboamError } from '../contract/errors.ts'
import { errorOf, refusalIn } from '../contract/refusal.ts'

/** Why there was no answer, or a refusal: as errors with a code to branch on and a sentence to read. */

export type Ask = { method?: 'GET' | 'POST'; path: string; body?: unknown; headers?: Record<string, string> }

/** What was never received, or was turned away at the door, may be sent again; and what says that it may come twice. */
export function mayAskAgain(error: unknown, { method = 'GET', body }: Ask): boolean {
  if (!(error instanceof RehoboamError)) return false
  if (error.code === 'daemon-down' || error.code === 'daemon-stopping') return true
  const mayComeTwice = method === 'GET' || (typeof body === 'object' && body !== null && 'request' in body)
  return error.code === 'daemon-lost' && mayComeTwice
}

export function notAnswered(error: NodeJS.ErrnoException, home: string): RehoboamError {
  if (error.name === 'TimeoutError') {
    return new RehoboamError('daemon-stuck', `the daemon does not answer; ${join(home, 'daemon.log')} may say why`)
  }
  if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') {
    return new RehoboamError('daemon-down', 'no daemon is running; rehoboam daemon start starts it')
  }
  const sentence = 'the daemon ended before it answered; look with rehoboam runs what came of it, then try again'
  return new RehoboamError('daemon-lost', sentence)
}

export function errorIn(text: string): RehoboamError {
  try {
    const refusal = refusalIn(JSON.parse(text))
    if (refusal) return errorOf(refusal)
  } catch {
    // Not even JSON.
  }
  return new RehoboamError('daemon-answer', 'the daemon gave an answer that this command does not understand')
}
