import type { AgentFacts } from '../../core/agent/facts.ts'
import { isStuck, listen, NO_SILENCE } from '../../core/agent/silence.ts'
import type { Clock } from '../../ports.ts'

// Often enough for a limit of seconds, seldom enough for a hundred sessions.
const LOOK_EVERY_MS = 500

/** Calls back when a session has been silent for too long, once for each such silence. */
export function watchStuck(
  clock: Clock,
  afterMs: number,
  factsNow: () => AgentFacts | null,
  stuck: () => void,
  signal: AbortSignal,
): { heard(): void } {
  let lines = 0
  let silence = NO_SILENCE
  let lookedAt = clock.now()
  const look = () => {
    const now = clock.now()
    forget = clock.at(now + LOOK_EVERY_MS, look)
    // A machine that slept, or was too busy to let us look, let nobody else work either. A clock that was set back counts nothing.
    const passedMs = Math.max(0, Math.min(now - lookedAt, 2 * LOOK_EVERY_MS))
    lookedAt = now
    const facts = factsNow()
    const wasStuck = isStuck(silence, facts, afterMs)
    silence = listen(silence, { facts, lines, passedMs, now })
    if (!wasStuck && isStuck(silence, facts, afterMs)) stuck()
  }
  let forget = clock.at(lookedAt + LOOK_EVERY_MS, look)
  signal.addEventListener('abort', () => forget())
  return {
    heard(): void {
      lines += 1
    },
  }
}
