import type { IncomingMessage, ServerResponse } from 'node:http'
import { denyTool } from '../../adapters/claude/hook-answers.ts'
import { NO_SURROUNDINGS, PaneName } from '../../contract/agent.ts'
import { BODY_LIMIT, CLIENT_HOOK_LIMIT } from '../../contract/body-limit.ts'
import { RehoboamError } from '../../contract/errors.ts'
import { type HookEvent, parseHook } from '../../contract/hook.ts'
import { HookBody } from '../../contract/hook-body.ts'
import { check, failureOf } from './answers.ts'
import { bodyText, requireFitting } from './body-text.ts'
import type { House } from './house.ts'
import { requireOwnHost, requireSession } from './loopback-guard.ts'

/** Answers a request that is its own; false: it is for whoever stands behind it. */
export type FirstDoor = (request: IncomingMessage, response: ServerResponse) => boolean

/**
 * Hooks come by the thousand, and their clients wait for each: what a router and its streams cost would be most of the
 * whole. So they are served on the bare server, before everything else that is asked there.
 */
function hookDoor(
  house: House,
  answerTo: (request: IncomingMessage, response: ServerResponse) => Promise<Reply>,
): FirstDoor {
  return (request, response) => {
    if (request.method !== 'POST' || request.url !== '/v1/hook') return false
    answerTo(request, response).then(
      reply => send(response, reply),
      (error: Error) => {
        // It went before it had said all of it: there is nobody to tell.
        if (request.errored) return
        const { status, refusal } = failureOf(error, 'POST /v1/hook', house.log)
        send(response, { status, body: JSON.stringify(refusal) })
      },
    )
    return true
  }
}

type Reply = { status: number; body: string; answer?: string }
const TAKEN: Reply = { status: 200, body: '' }

function send(response: ServerResponse, { status, body, answer }: Reply): void {
  const headers: Record<string, string | number> = { 'content-length': Buffer.byteLength(body) }
  if (body) headers['content-type'] = 'application/json'
  if (answer !== undefined) headers['x-rehoboam-answer'] = Buffer.from(answer).toString('base64')
  // The sender may still be writing.
  if (status === 413) headers.connection = 'close'
  response.writeHead(status, headers).end(body)
}

/** The door of `rehoboam hook`, on the socket. A held event's answer comes when a person has given it. */
export function commandHookDoor(house: House): FirstDoor {
  return hookDoor(house, async (request, response) => {
    await requireFitting(request, BODY_LIMIT)
    const body = check(HookBody, json(await bodyText(request, BODY_LIMIT)))
    const { id, at, isHeld, where, hook, isCut } = body
    const event = eventIn(hook, isCut)
    // A clock that is ahead must not make an agent's last word lie in the future.
    house.hooks.take(id, event, where, Math.min(at, house.now()))
    const answer = isHeld ? await house.hooks.hold(body, event, gone(house, response)) : ''
    return { ...TAKEN, answer }
  })
}

/** The hook has gone: Esc in its session's pane. When it is we who hang up, it comes back to whoever serves next. */
function gone(house: House, response: ServerResponse): AbortSignal {
  const left = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished && !house.stopping.aborted) left.abort()
  })
  return left.signal
}

/** The door for the frequent events of sessions that we start, on loopback, with the session's own token. */
export function sessionHookDoor(house: House): FirstDoor {
  return hookDoor(house, async request => {
    const { headers } = request
    await requireFitting(request, CLIENT_HOOK_LIMIT)
    requireOwnHost(house, headers.host, headers.origin)
    const session = requireSession(house, headers.authorization)
    const event = eventIn(json(await bodyText(request, CLIENT_HOOK_LIMIT)))
    // Looked at only where there is one: an answer that says what is wrong with nothing is dear, a thousand times a second.
    const named = headers['x-rehoboam-pane']
    const pane = named === undefined ? null : (PaneName.safeParse(named).data ?? null)
    if (event.session !== session && !isHeir(house, session, event.session, pane)) {
      throw new RehoboamError('scope-refused', 'the token of a session reaches that session and nothing else')
    }
    house.hooks.hear(event, pane === null ? NO_SURROUNDINGS : { ...NO_SURROUNDINGS, pane }, house.now())
    const refusal = event.name === 'PreToolUse' ? house.roles.refusalOf({ ...event, session }) : null
    return refusal === null ? TAKEN : { status: 200, body: JSON.stringify(denyTool(refusal)) }
  })
}

/**
 * After /clear a client goes on under another id, in the same pane and with the token that it was started with. That it speaks
 * from there is what we know of it also after a restart. Nobody whom we know from elsewhere is taken for it.
 */
function isHeir({ agents, runs }: House, session: string, heir: string, pane: string | null): boolean {
  if (pane === null || !agents.has(session) || agents.facts(session).pane !== pane) return false
  if (agents.has(heir) && agents.facts(heir).pane !== pane) return false
  // A pane is only what a client says of itself: by its name alone nobody speaks for another session of ours.
  return runs.findBySession(heir) === null
}

function eventIn(hook: unknown, isCut = false): HookEvent {
  const event = parseHook(hook, isCut)
  if (!event) throw new RehoboamError('bad-hook', 'this is not a hook event of a client')
  return event
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new RehoboamError('bad-json', 'the body is not JSON')
  }
}
