import type { RunCreatedOf, Stamped } from '../../contract/event.ts'
import { ENDED } from '../../contract/run.ts'
import { beginning, type Decision, isForgotten, type Machine } from '../machine.ts'
import { clockStarted, clockStopped, limitFrom, limitStarted, limitStopped, limitTimer } from '../time-limit.ts'
import { pause, stopAll, tell } from './parent-moves.ts'
import { type ParentState, withNotes } from './parent-state.ts'

/** Returns what the first state of a pool and of a quest have in common. */
export function beginParent(event: Stamped<RunCreatedOf<'pool' | 'quest'>>): ParentState<never> {
  return {
    ...beginning(event),
    wish: null,
    isPaused: false,
    loop: event.loop,
    timeLimit: limitFrom(event.spec.maxTimeMs, event.at),
    children: [],
    queue: [],
    merging: null,
    merges: 0,
    tip: null,
    isTampered: false,
    judgesUsd: 0,
    blocks: 0,
  }
}

/** Returns the machine of a kind of parent. `decide`: what only that kind decides. */
export function parentMachine<S extends ParentState & { kind: 'pool' | 'quest' }>({
  create,
  decide,
}: Machine<S>): Machine<S> {
  return { create, decide: (state, event) => keepTime(state, event, decideAlike(state, event) ?? decide(state, event)) }
}

/** Decides what pools and quests decide alike. Returns null for an event that only the machine of the kind decides. */
function decideAlike<S extends ParentState>(state: S, event: Stamped): Decision<S> | null {
  const hasEnded = ENDED.has(state.status)
  switch (event.type) {
    case 'branch-not-opened':
      return state.base === null ? pause(state, event.cause) : { state }
    case 'cancel-requested':
      return hasEnded ? { state } : stopAll(state, event.at, 'cancel')
    case 'pause-requested': {
      if (hasEnded || state.status === 'paused' || state.wish !== null) return { state }
      return { ...pause({ ...state, isPaused: true }, 'paused-by-user'), effects: tell(state, 'pause') }
    }
    case 'project-not-found':
      // A run that a person has paused meanwhile gets this cause too: `resume` must then repeat what failed.
      return hasEnded ? { state } : pause(state, 'project-missing')
    case 'timer-fired':
      if (event.timer !== 'max-time') return null
      return hasEnded ? { state } : stopAll(state, event.at, 'time')
    case 'clock-stopped':
      return clockStopped(state, event.at)
    case 'clock-started':
      return clockStarted(state, event.at)
    case 'noted':
      return { state: withNotes(state, event.notes) }
    case 'journal-repaired':
      return { state: { ...state, repairs: state.repairs + 1 } }
    default:
      return null
  }
}

/** Stops the run's time limit while it rests or waits for a person, and starts it again with what was left. */
function keepTime<S extends ParentState>(before: S, event: Stamped, decision: Decision<S>): Decision<S> {
  const { state, effects = [], forget = [] } = decision
  if (state.status !== 'active') {
    const timeLimit = ENDED.has(state.status) ? null : limitStopped(state.timeLimit, event.at)
    // A resume has set the timer, but all children still wait for a person.
    const deeds = effects.filter(effect => !isForgotten(effect, ['max-time']))
    return { state: { ...state, timeLimit }, effects: deeds, forget: [...forget, 'max-time'] }
  }
  if (before.status === 'active') return decision
  const next = { ...state, timeLimit: limitStarted(state.timeLimit, event.at) }
  return { state: next, effects: [...effects, ...limitTimer(next)], forget: [...forget, 'max-time'] }
}
