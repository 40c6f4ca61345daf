import type { Failure } from './failure.ts'
import type { Settings } from './settings.ts'

/** What the client tells people when the model gave no answer: word for word, because people and we read it. */
export function sentence(failure: Failure, { baseUrl, model, subscriber }: Settings): string {
  if (failure.kind === 'no-credentials') return 'Not logged in · Please run /login'
  if (failure.kind === 'connection') return connectionSentence(failure.code)
  if (failure.kind === 'stream') {
    return `API Error: API returned an empty or malformed response (HTTP 200) — check for a proxy or gateway intercepting the request. ${failure.detail}`
  }
  const { status, message, limit } = failure
  if (status === 429 && limit)
    return `You've hit your ${NAMES[limit.rateLimitType] ?? 'usage'} limit · resets ${clock(limit.resetsAt)}`
  if (status === 429 && subscriber)
    return `API Error: Server is temporarily limiting requests (not your usage limit) · ${message}`
  if (status === 429) return `API Error: Request rejected (429) · ${message}`
  if (status === 401) return 'Invalid API key · Fix external API key'
  if (status === 403) return `Failed to authenticate. API Error: 403 ${message}`
  if (status === 404) {
    return `There's an issue with the selected model (${model}). It may not exist or you may not have access to it. Run --model to pick a different model.`
  }
  if (status === 413) {
    return 'Request too large (max 32MB). Accumulated images and attachments in the conversation pushed the request over the limit. Remove older images or compact the conversation.'
  }
  if (status < 500) return `API Error: ${status} ${message}`
  const gateway = new URL(baseUrl).host
  return `API Error: ${status} ${message}. This is a server-side issue, usually temporary — try again in a moment. If it persists, check your inference gateway (${gateway}).`
}

function connectionSentence(code: string): string {
  if (code === 'ECONNREFUSED')
    return 'API Error: Connection refused — a firewall or proxy may be blocking it (ECONNREFUSED)'
  return `API Error: Connection dropped (${code}). Check the gateway set in ANTHROPIC_BASE_URL, then try again.`
}

const NAMES: Record<string, string> = { five_hour: '5-hour', seven_day: 'weekly' }

/** As people say it, `10:26pm (UTC)`, in the time zone of whoever reads it. */
function clock(seconds: number): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const time = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', hour12: true })
  return `${time
    .format(seconds * 1000)
    .replace(/[\s\u202f]/g, '')
    .replace(':00', '')
    .toLowerCase()} (${zone})`
}
