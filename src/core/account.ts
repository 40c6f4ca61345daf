import type { RunState } from './run-state.ts'

// A limit whose end nobody told us: growing, up to half an hour, because every try may count against it.
const LIMIT_WAITS_MS = [30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000]
// The clocks of two machines differ, and a second too early costs another round.
const AFTER_RESET_MS = 5_000

/** When somebody who has waited so many times may go on. */
export function limitOver(resetsAt: number | null, waits: number, at: number): number {
  if (resetsAt !== null && resetsAt > at) return resetsAt + AFTER_RESET_MS
  return at + LIMIT_WAITS_MS[Math.min(waits, LIMIT_WAITS_MS.length - 1)]!
}

/** Whose limit it is: the address of the model, and what opens it. Never to be written down as it is. */
export function accountText(environment: Record<string, string>, credentials: readonly string[]): string {
  // Who has no key in the environment is logged in, in the client's own directory.
  const login = ['CLAUDE_CONFIG_DIR', 'HOME'].find(name => environment[name] !== undefined)
  const opens = credentials.length > 0 ? [...credentials].sort() : login ? [login] : []
  return ['ANTHROPIC_BASE_URL', ...opens].map(name => `${name}=${environment[name] ?? ''}`).join('\n')
}

/** The moment until which a run says that its account is at a limit. Errors of the model are no limit of anybody's. */
export function limitedUntil(state: RunState): number | null {
  if (state.kind === 'loop') return state.waitsUntil
  if (state.kind === 'quest') return state.limit.isError ? null : state.limit.untilMs
  if (state.kind === 'session' && state.cause === 'limit' && state.limitResetsAt !== null)
    return limitOver(state.limitResetsAt, 0, state.endedAt ?? 0)
  return null
}
