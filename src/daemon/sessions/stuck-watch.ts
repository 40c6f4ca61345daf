import type { AgentFacts } from '../../core/agent/facts.ts'
import { isStuck, listen, NO_SILENCE } from '../../core/agent/silence.ts'

// Often enough for a limit of seconds, seldom enough for a hundred sessions.
const LOOK_EVERY_MS = 500

/** Calls back when a session has been silent for too long, once for each such silence. */
export function watchStuck(
  afterMs: number,
  look: () => { facts: AgentFacts | null; now: number },
  stuck: () => void,
  signal: AbortSignal,
): { heard(): void } {
  let lines = 0
  let silence = NO_SILENCE
  let lookedAt = performance.now()
  const timer = setInterval(() => {
    // A machine that slept, or was too busy to let us look, let nobody else work either.
    const passedMs = Math.min(performance.now() - lookedAt, 2 * LOOK_EVERY_MS)
    lookedAt = performance.now()
    const { facts, now } = look()
    const wasStuck = isStuck(silence, facts, afterMs)
    silence = listen(silence, { facts, lines, passedMs, now })
    if (!wasStuck && isStuck(silence, facts, afterMs)) stuck()
  }, LOOK_EVERY_MS)
  signal.addEventListener('abort', () => clearInterval(timer))
  return {
    heard(): void {
      lines += 1
    },
  }
}
