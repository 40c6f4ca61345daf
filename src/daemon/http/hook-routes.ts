import { Hono } from 'hono'
import { denyTool } from '../../adapters/claude/hook-answers.ts'
import { NO_SURROUNDINGS, PaneName } from '../../contract/agent.ts'
import { RehoboamError } from '../../contract/errors.ts'
import { parseHook } from '../../contract/hook.ts'
import { HookBody } from '../../contract/hook-body.ts'
import type { House } from '../house.ts'
import { bodyOf, refuse } from './answers.ts'

/** The door of `rehoboam hook`, on the socket. A held event's answer comes when a person has given it. */
export function hookRoutes(house: House): Hono {
  const app = new Hono()
  app.post('/', async c => {
    const body = await bodyOf(c, HookBody)
    const { id, at, isHeld, where, hook, isCut } = body
    const event = parseHook(hook, isCut)
    if (!event) return refuse(c, new RehoboamError('bad-hook', 'this is not a hook event of a client'))
    // A clock that is ahead must not make an agent's last word lie in the future.
    house.hooks.take(id, event, where, Math.min(at, house.now()))
    const answer = isHeld ? await house.hooks.hold(body, event, gone(house, c.req.raw.signal)) : ''
    c.header('x-rehoboam-answer', Buffer.from(answer).toString('base64'))
    return c.body(null, 200)
  })
  return app
}

/** The hook has gone: Esc in its session's pane. When it is we who hang up, it comes back to whoever serves next. */
function gone(house: House, hungUp: AbortSignal): AbortSignal {
  const left = new AbortController()
  hungUp.addEventListener('abort', () => {
    if (!house.stopping.aborted) left.abort()
  })
  return left.signal
}

/** The door for the frequent events of sessions that we start, on loopback, with the session's own token. */
export function sessionHookRoute(house: House, sessionOf: (header: string | undefined) => string | null): Hono {
  const app = new Hono()
  app.post('/', async c => {
    const session = sessionOf(c.req.header('authorization'))
    if (!session) return refuse(c, new RehoboamError('token-refused', 'a token of a session is needed'))
    const event = parseHook(await c.req.json().catch(() => null))
    if (!event) return refuse(c, new RehoboamError('bad-hook', 'this is not a hook event of a client'))
    if (event.session !== session) {
      return refuse(
        c,
        new RehoboamError('scope-refused', 'the token of a session reaches that session and nothing else'),
      )
    }
    // Looked at only where there is one: an answer that says what is wrong with nothing is dear, a thousand times a second.
    const named = c.req.header('x-rehoboam-pane')
    const pane = named === undefined ? null : (PaneName.safeParse(named).data ?? null)
    house.hooks.take(crypto.randomUUID(), event, { ...NO_SURROUNDINGS, pane }, house.now())
    const refusal = event.name === 'PreToolUse' ? house.roles.refusalOf(event) : null
    return refusal === null ? c.body(null, 200) : c.json(denyTool(refusal))
  })
  return app
}
