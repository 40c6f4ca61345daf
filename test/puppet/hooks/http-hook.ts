import http from 'node:http'
import { type Heard, type HttpHook, isObject, type Payload, type Reply } from './hook.ts'

type Place = { env: NodeJS.ProcessEnv; timeoutMs: number; signal: AbortSignal }

const agent = new http.Agent({ keepAlive: true })

/** Posts the event and takes the body of the answer for an answer. */
export async function runHttp(hook: HttpHook, payload: Payload, place: Place): Promise<Heard> {
  const limit = AbortSignal.timeout(place.timeoutMs)
  const reply = await post(hook, JSON.stringify(payload), place, AbortSignal.any([limit, place.signal])).catch(
    (error: Error): Reply => {
      if (place.signal.aborted) return { how: 'cancelled' }
      return limit.aborted ? { how: 'timed-out' } : { how: 'failed', why: error.message, unheard: true }
    },
  )
  return { ...reply, stdout: '', stderr: '', code: reply.how === 'answered' ? 0 : 1 }
}

async function post(hook: HttpHook, body: string, place: Place, signal: AbortSignal): Promise<Reply> {
  // The puppet's word: a rehearsal talks to this machine, whatever a settings file says.
  if (!hook.url.startsWith('http://')) return failed(`the puppet posts to http:// only, not to ${hook.url}`)
  const headers = { 'content-type': 'application/json', ...filled(hook, place.env) }
  const { status, text } = await send(hook.url, headers, body, signal)
  if (status < 200 || status > 299) return failed(`HTTP ${status} from ${hook.url}`)
  if (text.trim() === '') return { how: 'answered', json: {} }
  const json = parsed(text)
  if (!isObject(json)) return failed(`HTTP hook must return JSON, but got non-JSON response body: ${text}`)
  return { how: 'answered', json }
}

type Response = { status: number; text: string }

function send(url: string, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method: 'POST', headers, agent, signal }, response => {
      let text = ''
      response.setEncoding('utf8').on('data', piece => {
        text += piece
      })
      response.on('error', reject)
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    request.on('error', error => {
      // The receiver was started anew since the last event, and nobody was told that the old connection is gone.
      if (request.reusedSocket && !signal.aborted) send(url, headers, body, signal).then(resolve, reject)
      else reject(error)
    })
    request.end(body)
  })
}

/** `$NAME` and `${NAME}`: the names that the hook lists, and nothing in the place of others. */
function filled({ headers, allowedEnvVars }: HttpHook, env: NodeJS.ProcessEnv): Record<string, string> {
  const value = (name: string) => (allowedEnvVars.includes(name) ? (env[name] ?? '') : '')
  const fill = (text: string) =>
    String(text).replace(/\$(?:\{([A-Z_][A-Z0-9_]*)\}|([A-Z_][A-Z0-9_]*))/g, (_, braced, bare) => value(braced ?? bare))
  return Object.fromEntries(Object.entries(headers).map(([name, text]) => [name.toLowerCase(), fill(text).trim()]))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function failed(why: string): Reply {
  return { how: 'failed', why, unheard: true }
}
