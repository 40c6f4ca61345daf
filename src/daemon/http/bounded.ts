import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { RehoboamError } from '../../contract/errors.ts'
import { refuse } from './answers.ts'

/**
 * No body over the limit. Whoever says how long it is gets no more than that read, so one look at the header is enough;
 * only one that comes in pieces has to be counted.
 */
export function bounded(limitBytes: number): MiddlewareHandler {
  const onError = (c: Context) => refuse(c, tooLarge(limitBytes))
  const counted = bodyLimit({ maxSize: limitBytes, onError })
  return async (c, next) => {
    if (c.req.header('transfer-encoding') !== undefined) return counted(c, next)
    return Number(c.req.header('content-length') ?? 0) > limitBytes ? onError(c) : next()
  }
}

export function tooLarge(limitBytes: number): RehoboamError {
  return new RehoboamError('body-too-large', `a body has at most ${limitBytes} bytes`)
}
