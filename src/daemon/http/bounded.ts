import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { refuse } from './answers.ts'
import { dropBody, tooLarge } from './body-text.ts'

/**
 * Refuses a body over the limit. Node reads no more of a body than its Content-Length says, so a look at this header is
 * enough. Only a body that comes in pieces is counted.
 */
export function bounded(limitBytes: number): MiddlewareHandler<{ Bindings: HttpBindings }> {
  const onError = (c: Context) => refuse(c, tooLarge(limitBytes))
  const counted = bodyLimit({ maxSize: limitBytes, onError })
  return async (c, next) => {
    if (c.req.header('transfer-encoding') !== undefined) return counted(c, next)
    if (Number(c.req.header('content-length') ?? 0) <= limitBytes) return next()
    await dropBody(c.env.incoming)
    return onError(c)
  }
}
