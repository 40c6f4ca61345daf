import type { RunEvent } from '../../src/contract/event.ts'
import type { SessionRun } from '../../src/core/session/session-state.ts'
import fc from '../support/laws.ts'
import type { Kind } from './lives.ts'
import type { SessionRecord } from './session-world.ts'
import * as world from './session-world.ts'

/** Everything that can happen to a session run, by name: each outcome, each report, each timer, each request. */
export type Move = { name: string; event: (record: SessionRecord) => RunEvent }

const WHYS = ['ok', 'limit', 'overloaded', 'outage', 'auth', 'api-error', 'max-cost', 'client-error'] as const
const REFUSALS = ['needs-environment', 'project-missing', 'client-missing', 'session-busy'] as const
const TIMERS = ['max-time', 'background', 'crash-wait'] as const

export const moves: Move[] = [
  move('session-started', world.started),
  move('session-reported init', world.init),
  ...WHYS.map(why => move(`session-reported result ${why}`, world.result(why))),
  move('session-reported background 1', world.background(1)),
  move('session-reported background 0', world.background(0)),
  move('session-stuck', world.stuck),
  move('session-ended exit 0', world.ended(0)),
  move('session-ended exit 1', world.ended(1)),
  move('session-ended exit 137', world.ended(137)),
  move('session-ended vanished', world.ended(null)),
  ...REFUSALS.map(cause => move(`session-not-started ${cause}`, world.notStarted(cause))),
  ...TIMERS.map(timer => move(`timer-fired ${timer}`, world.fired(timer))),
  move('session-end-delivered', world.delivered),
  move('text-typed', world.typed),
  move('cancel-requested', world.cancel),
  move('pause-requested', world.pause),
  move('resume-requested without a text', world.resume()),
  move('resume-requested with a text', world.resume(8)),
  move('resume-requested into a pane', world.takeOver),
  move('question-asked', world.asked),
  move('clock-stopped', { type: 'clock-stopped' }),
  move('clock-started', { type: 'clock-started' }),
  move('told', world.told()),
  move('journal-repaired', world.repaired),
  move('run-created', world.created()),
]

export const sessionKind: Kind<SessionRun> = {
  kind: 'session',
  starts: fc.constantFrom('headless' as const, 'pane' as const).map(driver => world.created({ driver })),
  moves: record => moves.filter(move => isPossible(record, move)).map(move => move.event(record)),
}

/** The outcome comes after its deed: a session that has not begun does not speak. One in a pane speaks to its screen. */
export function isPossible({ state }: SessionRecord, { name }: Move): boolean {
  const has = state.turn.state
  if (name.startsWith('session-reported')) return has === 'running' && state.spec.driver === 'headless'
  if (name === 'session-stuck') return has === 'running' && state.spec.driver === 'headless'
  if (name.startsWith('session-not-started')) return has === 'starting'
  return true
}

function move(name: string, event: RunEvent | ((record: SessionRecord) => RunEvent)): Move {
  return { name, event: typeof event === 'function' ? event : () => event }
}
