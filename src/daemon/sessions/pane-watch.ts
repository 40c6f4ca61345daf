import type { SessionReport } from '../../contract/event.ts'
import { type PaneTurn, reportOfPane } from '../../core/agent/pane-turn.ts'

// Hooks say at once what happened; this is only how soon we look at what they said.
const LOOK_EVERY_MS = 200

/**
 * A pane has no stream: whether its turn goes on, has ended or failed is what we know of its agent. That is hooks, and where
 * these are lost the client's own note and its transcript.
 */
export function watchPane(
  look: () => (PaneTurn & { now: number }) | null,
  report: (report: SessionReport) => Promise<void>,
  signal: AbortSignal,
): void {
  let last = ''
  let isReporting = false
  let sentAt = 0
  const timer = setInterval(() => {
    const found = isReporting ? null : look()
    const seen = found && reportOfPane(found)
    const name = JSON.stringify(seen)
    if (!found || !seen || name === last) return
    isReporting = true
    // Later than whatever was said before, also when the clock was set back.
    sentAt = Math.max(found.now, sentAt + 1)
    report({ ...seen, offset: sentAt } as SessionReport)
      .then(() => {
        last = name
        // What it cost is counted once, also while more is spent on its way out.
        if (seen.kind === 'result' && (seen.why === 'max-cost' || seen.why === 'unpriced')) clearInterval(timer)
      })
      .catch(() => {})
      .finally(() => {
        isReporting = false
      })
  }, LOOK_EVERY_MS)
  signal.addEventListener('abort', () => clearInterval(timer))
}
