import { CREDENTIALS } from './environment.ts'

// A limit whose end nobody told us: growing, up to half an hour, because every try may count against it.
const LIMIT_WAITS_MS = [30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000]
// The clocks of two machines differ, and a second too early costs another round.
const AFTER_RESET_MS = 5_000
// The longest limits are of a week. Too short: a try in vain (cheap). Without it a wrong figure stops an account for years.
const LONGEST_LIMIT_MS = 8 * 24 * 3_600_000

/** When somebody who has waited so many times may go on. */
export function limitOver(resetsAt: number | null, waits: number, at: number): number {
  if (resetsAt !== null && resetsAt > at) return Math.min(resetsAt + AFTER_RESET_MS, at + LONGEST_LIMIT_MS)
  return at + LIMIT_WAITS_MS[Math.min(waits, LIMIT_WAITS_MS.length - 1)]!
}

/** Whose limit it is: the address of the model, and what opens it. Never to be written down as it is. */
export function accountText(environment: Record<string, string>, credentials: readonly string[]): string {
  // Who has no key in the environment is logged in, in the client's own directory. A region of AWS is no key.
  const hasKey = credentials.some(name => CREDENTIALS.has(name))
  const login = hasKey ? undefined : ['CLAUDE_CONFIG_DIR', 'HOME'].find(name => environment[name] !== undefined)
  return ['ANTHROPIC_BASE_URL', ...(login ? [login] : []), ...[...credentials].sort()]
    .map(name => `${name}=${environment[name] ?? ''}`)
    .join('\n')
}
