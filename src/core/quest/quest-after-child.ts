import type { RunEventOf, Stamped } from '../../contract/event.ts'
import type { ChildOutcome } from '../../contract/pool.ts'
import { ENDED } from '../../contract/run.ts'
import { limitOver } from '../account.ts'
import type { Decision } from '../machine.ts'
import { FRESH_NOTE, LIMIT_NOTE, STOPPED_NOTE, WENT_ON_NOTE } from '../notes.ts'
import { after, isOverBudget, keepBudget, saying, stopAll, wake } from '../parent/parent-moves.ts'
import { withNotes } from '../parent/parent-state.ts'
import { afterSignal, leavesSlot } from './after-signal.ts'
import { ask, proceed, ready } from './quest-moves.ts'
import {
  type QuestRun,
  type QuestSession,
  sessionNamed,
  type Work,
  withSession,
  withWork,
  workOf,
} from './quest-state.ts'

/** What follows when a session of a role says something of itself, ends, or cannot be started. */

// Errors of the model that nobody calls a limit: patience ends.
const MOST_ERROR_WAITS = 6

export function childChanged(before: QuestRun, event: Stamped<RunEventOf<'child-changed'>>): Decision<QuestRun> {
  const { status, cause, iteration, costUsd, at } = event
  const { n, step, signal } = sessionNamed(before, event.child)
  const work = workOf(before, step)
  const isFree = ENDED.has(status) && (work?.session !== n || leavesSlot(work, signal))
  const state = withSession(before, n, { status, cause, iteration, costUsd, ...(isFree && { slot: null }) })
  if (isOverBudget(state) && state.wish === null) return stopAll(state, at, 'cost')
  return proceed(status === 'active' ? wake(state) : state, at)
}

export function childNotStarted(before: QuestRun, event: Stamped<RunEventOf<'child-not-started'>>): Decision<QuestRun> {
  const { cause, why, at } = event
  const session = sessionNamed(before, event.child)
  const { n } = session
  const state = withSession(before, n, { isLive: false, endedAt: at, status: 'failed', cause })
  const work = workOf(state, session.step)
  if (work?.session !== n || work.state !== 'working') return proceed(state, at)
  const next = { role: session.role, session: null, say: saying(WENT_ON_NOTE) }
  const note = `a session of ${session.role} could not be started`
  return proceed(ask(state, work.id, at, { kind: 'crash', note, text: why, leads: { do: 'start', next } }), at)
}

export function childEnded(before: QuestRun, event: Stamped<RunEventOf<'child-ended'>>): Decision<QuestRun> {
  const { outcome, at } = event
  const { status, cause, costUsd, iteration } = outcome
  const session = sessionNamed(before, event.child)
  const { n } = session
  const ended = withSession(before, n, { isLive: false, endedAt: at, status, cause, costUsd, iteration })
  const work = workOf(ended, session.step)
  // It was left out meanwhile.
  if (work?.session !== n || work.state !== 'working') return proceed(wake(withNotes(ended, outcome.notes)), at)
  const left = outcome.commit === null ? ended : withWork(ended, work.id, { commit: outcome.commit })
  const state = wake(withNotes(left, outcome.notes))
  const next = session.signal
    ? afterSignal(state, workOf(state, work.id)!, session, session.signal, at)
    : unsignalled(state, workOf(state, work.id)!, session, outcome, at)
  return keepBudget(next, at)
}

/** Its process is gone, and it never said why. */
function unsignalled(
  state: QuestRun,
  work: Work,
  session: QuestSession,
  { status, cause, limitResetsAt }: ChildOutcome,
  at: number,
): Decision<QuestRun> {
  const { role, n } = session
  const again = { role, session: n, say: saying(STOPPED_NOTE) }
  if (status === 'over-budget' && state.wish === null) return stopAll(ready(state, work.id, again), at, 'cost')
  if (state.wish !== null) return proceed(ready(state, work.id, again), at)
  switch (cause) {
    case 'limit':
    case 'overloaded':
    case 'outage':
    case 'api-error': {
      const isError = cause === 'outage' || cause === 'api-error'
      const waits = state.limit.waits
      const resumed = { role, session: n, say: saying(LIMIT_NOTE) }
      if (isError && waits >= MOST_ERROR_WAITS)
        return proceed(asked(state, work, at, 'crash', 'the model answers with errors again and again', resumed), at)
      return waitForLimit(ready(state, work.id, resumed), limitResetsAt, at, isError)
    }
    case 'stuck':
      return proceed(asked(state, work, at, 'stall', 'it said and did nothing for a long time, twice', again), at)
    case 'crashed':
      if (!work.isFresh) {
        const fresh = { role, session: null, say: saying(FRESH_NOTE) }
        return proceed(ready(state, work.id, fresh, { isFresh: true }), at)
      }
      return proceed(asked(state, work, at, 'crash', 'it was cut off again and again', { ...again, session: null }), at)
    default:
      return proceed(asked(state, work, at, 'crash', `it ended without a signal (${cause ?? status})`, again), at)
  }
}

function asked(
  state: QuestRun,
  work: Work,
  at: number,
  kind: 'crash' | 'stall',
  note: string,
  next: NonNullable<Work['next']>,
): QuestRun {
  const words = `${next.role}: ${note}`
  const leads = { do: 'start' as const, next: { ...next, say: saying(WENT_ON_NOTE) } }
  return ask(state, work.id, at, { kind, note: words, text: null, leads }, { isFresh: false })
}

/** Not the agent's fault and not counted: nothing of this account starts before it is over. */
function waitForLimit(state: QuestRun, resetsAt: number | null, at: number, isError: boolean): Decision<QuestRun> {
  const { untilMs, waits, isError: wasError } = state.limit
  const over = limitOver(resetsAt, waits, at)
  // A limit that is known stays one, whatever else fails meanwhile.
  const isLater = untilMs === null || over > untilMs
  const atMs = isLater ? over : untilMs
  const limit = { untilMs: atMs, waits: waits + 1, isError: isLater ? isError : wasError }
  const waiting = proceed({ ...state, limit }, at)
  const timer = { do: 'set-timer', name: 'limit-wait', atMs } as const
  return after(waiting, now => ({ state: now, effects: [timer], forget: ['limit-wait'] }))
}
