import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { AskFailed, type Limit } from './failure.ts'
import type { Content, Usage } from './message.ts'
import { MessageStream } from './message-stream.ts'
import type { Settings } from './settings.ts'
import { VERSION } from './version.ts'

export type Answer = { id: string; model: string; content: Content[]; stopReason: string; usage: Usage }
export type Question = { session: string; body: Record<string, unknown>; signal: AbortSignal }
/** A content block that is whole, while the rest of its message is still on its way. */
export type OnBlock = (id: string, model: string, block: Content, usage: Usage) => void

const agent = new http.Agent({ keepAlive: true })

/** One request, one answer or one failure. Asking again is somebody else's business. */
export async function ask(settings: Settings, question: Question, attempt: number, onBlock: OnBlock): Promise<Answer> {
  if (!settings.apiKey && !settings.authToken) throw new AskFailed({ kind: 'no-credentials' })
  const response = await send(settings, question, attempt)
  if (response.statusCode !== 200) throw new AskFailed(await refusal(response, settings))
  if (question.body.stream !== true) return whole(response)
  const stream = new MessageStream(onBlock)
  try {
    response.setEncoding('utf8')
    for await (const text of response) stream.push(text)
  } catch (error) {
    throw connectionFailed(error, stream)
  }
  return stream.end()
}

function send(settings: Settings, question: Question, attempt: number): Promise<IncomingMessage> {
  const body = JSON.stringify(question.body)
  const url = new URL(`${settings.baseUrl.replace(/\/$/, '')}/v1/messages?beta=true`)
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': `claude-cli/${VERSION} (external, sdk-cli)`,
    'anthropic-version': '2023-06-01',
    'x-app': 'cli',
    'x-claude-code-session-id': question.session,
    'x-stainless-retry-count': String(attempt),
    ...(settings.apiKey ? { 'x-api-key': settings.apiKey } : {}),
    ...(settings.authToken ? { authorization: `Bearer ${settings.authToken}` } : {}),
  }
  const options = { method: 'POST', headers, signal: question.signal, agent }
  return new Promise((resolve, reject) => {
    const request = http.request(url, options, resolve)
    request.on('error', error => reject(connectionFailed(error)))
    request.end(body)
  })
}

function connectionFailed(error: unknown, stream?: MessageStream): AskFailed {
  if (error instanceof AskFailed) return error
  const code = (error as NodeJS.ErrnoException).code ?? 'ECONNRESET'
  return new AskFailed(
    { kind: 'connection', code: code === 'ERR_STREAM_PREMATURE_CLOSE' ? 'ECONNRESET' : code },
    stream?.spoken(),
  )
}

async function whole(response: IncomingMessage): Promise<Answer> {
  const text = await bodyOf(response)
  try {
    const message = JSON.parse(text)
    return {
      id: message.id,
      model: message.model,
      content: message.content,
      stopReason: message.stop_reason,
      usage: message.usage,
    }
  } catch {
    const detail = `Response: content-type ${response.headers['content-type']}, ${text.length} bytes`
    throw new AskFailed({ kind: 'stream', how: 'no-events', detail })
  }
}

async function refusal(response: IncomingMessage, { subscriber }: Settings) {
  const body = await bodyOf(response)
  const after = Number(response.headers['retry-after'])
  const error = errorIn(body)
  return {
    kind: 'status' as const,
    status: response.statusCode ?? 0,
    type: error?.type ?? 'api_error',
    message: error?.message ?? body,
    retryAfterMs: Number.isFinite(after) && response.headers['retry-after'] !== undefined ? after * 1000 : undefined,
    limit: subscriber ? limitIn(response.headers) : undefined,
  }
}

function limitIn(headers: IncomingHttpHeaders): Limit | undefined {
  const told = (name: string) => headers[`anthropic-ratelimit-unified-${name}`]
  if (told('status') !== 'rejected') return undefined
  return { resetsAt: Number(told('reset')), rateLimitType: String(told('representative-claim')) }
}

function errorIn(body: string): { type?: string; message?: string } | undefined {
  try {
    return JSON.parse(body).error
  } catch {
    return undefined
  }
}

async function bodyOf(response: IncomingMessage): Promise<string> {
  let text = ''
  response.setEncoding('utf8')
  try {
    for await (const piece of response) text += piece
  } catch (error) {
    throw connectionFailed(error)
  }
  return text
}
