import { NO_USAGE } from './message.ts'
import { costUsd } from './price.ts'
import type { Session } from './session.ts'
import type { Settings } from './settings.ts'

// As long as a prompt stays in the API's cache.
const CACHED_SECONDS = 300

/** What hooks hear of a session that goes on: how long it lay still, and what it costs to remember. */
export function sinceThen({ model }: Settings, { lastResponse }: Session): Record<string, unknown> {
  if (!lastResponse) return {}
  const seconds = Math.floor((Date.now() - lastResponse.at) / 1000)
  const { input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens } = lastResponse.usage
  const tokens = input_tokens + output_tokens + cache_creation_input_tokens + cache_read_input_tokens
  return {
    seconds_since_last_response: seconds,
    context_tokens: tokens,
    prompt_cache_likely_expired: seconds > CACHED_SECONDS,
    estimated_cache_write_usd: costUsd(model, { ...NO_USAGE, cache_creation_input_tokens: tokens }),
  }
}
