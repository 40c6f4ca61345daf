import type { HttpBindings } from '@hono/node-server'
import type { MiddlewareHandler } from 'hono'
import { bodyText, requireFitting } from './body-text.ts'

/**
 * Refuses a body over the limit. Node reads no more of a body than its Content-Length says, so a look at this header is
 * enough. Only a body that comes in pieces is read here, and kept for the route.
 */
export function bounded(limitBytes: number): MiddlewareHandler<{ Bindings: HttpBindings }> {
  return async (c, next) => {
    const { incoming } = c.env
    if (c.req.header('transfer-encoding') === undefined) await requireFitting(incoming, limitBytes)
    else Object.assign(c.req.bodyCache, { text: Promise.resolve(await bodyText(incoming, limitBytes)) })
    return next()
  }
}
