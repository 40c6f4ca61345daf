import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { z } from 'zod'
import type { ErrorCode } from '../../contract/error-codes.ts'
import { RehoboamError } from '../../contract/errors.ts'
import { type Refusal, refusalOf } from '../../contract/refusal.ts'

/** Codes that are not simply a bad request. */
const STATUS: Partial<Record<ErrorCode, ContentfulStatusCode>> = {
  'run-unknown': 404,
  'agent-unknown': 404,
  'id-unknown': 404,
  'id-ambiguous': 409,
  'cannot-tell': 409,
  'question-unknown': 404,
  'rule-unknown': 404,
  'task-unknown': 404,
  'task-none': 404,
  'task-taken': 409,
  'task-not-claimed': 409,
  'route-unknown': 404,
  'token-refused': 401,
  'scope-refused': 403,
  'method-refused': 405,
  'peer-unproven': 403,
  'inside-agent': 403,
  'host-refused': 403,
  'run-ended': 409,
  already: 409,
  'run-ambiguous': 409,
  'body-too-large': 413,
  'daemon-stopping': 503,
  'journal-write': 507,
  internal: 500,
}

export function refuse(c: Context, error: RehoboamError): Response {
  const { status, refusal } = refusedBy(error)
  return c.json(refusal, status)
}

export function onError(log: (line: string) => void) {
  return (error: Error, c: Context): Response => {
    const { status, refusal } = failureOf(error, `${c.req.method} ${c.req.path}`, log)
    return c.json(refusal, status)
  }
}

type Refused = { status: ContentfulStatusCode; refusal: Refusal }

/** Bad input gets a sentence; a fault of ours gets logged and says no more than that. */
export function failureOf(error: Error, asked: string, log: (line: string) => void): Refused {
  if (error instanceof RehoboamError) return refusedBy(error)
  log(`${asked} failed: ${error.stack ?? error.message}`)
  const sentence = 'the daemon failed at this; rehoboam daemon logs says more'
  return refusedBy(new RehoboamError('internal', sentence))
}

function refusedBy(error: RehoboamError): Refused {
  return { status: STATUS[error.code] ?? 400, refusal: refusalOf(error) }
}

/** The body, checked against its schema once. */
export async function bodyOf<T extends z.ZodType>(c: Context, schema: T): Promise<z.infer<T>> {
  let value: unknown
  try {
    value = await c.req.json()
  } catch (error) {
    if (error instanceof RehoboamError) throw error
    throw new RehoboamError('bad-json', 'the body is not JSON')
  }
  return check(schema, value)
}

export function check<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issues = result.error.issues.slice(0, 5).map(({ path, message }) => {
    const place = path.join('.').slice(0, 200)
    return place ? `${place}: ${message}` : message
  })
  throw new RehoboamError('bad-request', issues.join('; ').slice(0, 2000))
}
