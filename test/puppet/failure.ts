import type { Content, Usage } from './message.ts'

/** Why the model gave no answer. What the client does next, and what it tells people, depends on nothing else. */
export type Failure =
  | { kind: 'no-credentials' }
  | {
      kind: 'status'
      status: number
      type: string
      message: string
      retryAfterMs: number | undefined
      limit: Limit | undefined
    }
  | { kind: 'connection'; code: string }
  /** `incomplete`: the stream ended in the middle. The other two are asked again at once, without a stream. */
  | { kind: 'stream'; how: 'no-events' | 'bad-json' | 'incomplete'; detail: string }

/** When a subscriber's plan is used up: until when, and which of its limits. */
export type Limit = { resetsAt: number; rateLimitType: string }

export class AskFailed extends Error {
  readonly failure: Failure
  /** Blocks of the answer that were whole, and shown, before it failed. */
  readonly spoken: Spoken | undefined
  /** What the broken answer had already cost. */
  readonly usage: Usage | undefined

  constructor(failure: Failure, spoken?: Spoken, usage?: Usage) {
    super(failure.kind)
    this.failure = failure
    this.spoken = spoken
    this.usage = usage
  }
}
export type Spoken = { id: string; content: Content[]; usage: Usage }

export function isRetried(failure: Failure): boolean {
  if (failure.kind !== 'status') return failure.kind !== 'no-credentials'
  // A plan that is used up is not refilled within any delay of ours.
  if (failure.limit) return false
  return [401, 408, 409, 429].includes(failure.status) || failure.status >= 500
}

/** The name in `api_retry`. */
export function retryName(failure: Failure): string {
  if (failure.kind !== 'status') return 'unknown'
  if (failure.status === 529) return 'overloaded'
  return errorName(failure)
}

/** The name on the message in which the client speaks for the API. */
export function errorName(failure: Failure): string {
  if (failure.kind === 'no-credentials') return 'authentication_failed'
  if (failure.kind === 'connection') return 'server_error'
  if (failure.kind === 'stream') return 'unknown'
  if (failure.status === 429) return 'rate_limit'
  if (failure.status === 401 || failure.status === 403) return 'authentication_failed'
  if (failure.status === 404) return 'model_not_found'
  if (failure.status === 413) return 'invalid_request'
  return failure.status >= 500 ? 'server_error' : 'unknown'
}
