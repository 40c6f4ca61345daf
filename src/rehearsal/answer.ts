import type { ServerResponse } from 'node:http'
import type { Gates } from './gates.ts'
import { messageEvents, type Sse, sse, wholeMessage } from './message-events.ts'
import type { Question } from './request.ts'
import type { Reply } from './scenario.ts'

/** Sends one scripted reply, with whatever is scripted to be wrong with it. Ends early when the client goes away. */
export async function answer(response: ServerResponse, reply: Reply, question: Question, id: string, gates: Gates) {
  if (reply.status !== undefined) return refuse(response, reply, reply.status)
  const fault = reply.fault
  if (fault?.kind === 'reset' && fault.at === 'start') return reset(response)
  const gone = new Promise<void>(resolve => response.once('close', resolve))
  // The gate exists from the moment the question is known, so that a release can never come too early for it.
  const hung = fault?.kind === 'hang' ? Promise.race([gates.wait(fault.name), gone]) : undefined
  if (fault?.kind === 'hang' && fault.at === 'start') await hung
  if (response.destroyed) return
  if (fault?.kind === 'malformed' && fault.how === 'not-a-stream') return notAStream(response)
  if (!question.stream) return json(response, 200, wholeMessage(reply, id, question.model), reply.headers)

  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', ...reply.headers })
  const events = spoil(messageEvents(reply, id, question.model), reply)
  const middle = Math.floor(events.length / 2)
  for (const [n, event] of events.entries()) {
    if (response.destroyed) return
    if (n === middle && fault?.kind === 'reset') return reset(response)
    if (n === middle && fault?.kind === 'hang' && fault.at === 'middle') await hung
    response.write(wire(event))
    if (reply.pace) await Promise.race([passed(reply.pace.delayMs), gone])
  }
  if (fault?.kind === 'malformed' && fault.how === 'truncated')
    response.write('event: content_block_delta\ndata: {"type":"con')
  response.end()
}

function spoil(events: Sse[], reply: Reply): Sse[] {
  if (reply.fault?.kind !== 'malformed') return events
  switch (reply.fault.how) {
    case 'empty':
      return []
    case 'no-message-stop':
      return events.slice(0, -1)
    case 'truncated':
      return events.slice(0, Math.floor(events.length / 2))
    case 'bad-json':
      return [
        ...events.slice(0, 2),
        { event: 'content_block_delta', data: '{"type":"content_block_delta","index":' },
        ...events.slice(2),
      ]
    case 'unknown-event':
      return [...events.slice(0, 1), sse('weather_report', { sky: 'blue' }), ...events.slice(1)]
    default:
      return events
  }
}

function wire({ event, data }: Sse): string {
  return `event: ${event}\ndata: ${data}\n\n`
}

const NAMES: Record<number, [type: string, message: string]> = {
  400: ['invalid_request_error', 'The request is not valid'],
  401: ['authentication_error', 'invalid x-api-key'],
  403: ['permission_error', 'Not allowed'],
  404: ['not_found_error', 'Not found'],
  413: ['request_too_large', 'Request exceeds the maximum size'],
  429: ['rate_limit_error', 'This request would exceed the rate limit'],
  500: ['api_error', 'Internal server error'],
  529: ['overloaded_error', 'Overloaded'],
}

function refuse(response: ServerResponse, reply: Reply, status: number) {
  const [type, message] = NAMES[status] ?? ['api_error', 'Something went wrong']
  const body = { type: 'error', error: reply.error ?? { type, message }, request_id: 'req_rehearsal' }
  json(response, status, body, { ...limitHeaders(reply), ...reply.headers })
}

function limitHeaders(reply: Reply): Record<string, string> {
  const headers: Record<string, string> = {}
  if (reply.retryAfterSeconds !== undefined) headers['retry-after'] = String(reply.retryAfterSeconds)
  if (reply.resetInSeconds !== undefined) {
    const reset = new Date(Date.now() + reply.resetInSeconds * 1000)
    headers['anthropic-ratelimit-requests-limit'] = '50'
    headers['anthropic-ratelimit-requests-remaining'] = '0'
    headers['anthropic-ratelimit-requests-reset'] = reset.toISOString().replace(/\.\d+Z$/, 'Z')
    headers['anthropic-ratelimit-unified-status'] = 'rejected'
    headers['anthropic-ratelimit-unified-reset'] = String(Math.ceil(reset.getTime() / 1000))
    headers['anthropic-ratelimit-unified-representative-claim'] = 'five_hour'
  }
  return headers
}

export function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

function notAStream(response: ServerResponse) {
  response.writeHead(200, { 'content-type': 'text/html' })
  response.end('<html><body>This network wants you to log in</body></html>')
}

function reset(response: ServerResponse) {
  response.socket?.resetAndDestroy()
}

function passed(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}
