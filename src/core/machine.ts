import type { RunEventOf, Stamped, TimerName } from '../contract/event.ts'
import type { Effect } from './effect.ts'

/** What a decision gives: the next state, the deeds it asks for, and the timers that no longer matter. */
export type Decision<S> = { state: S; effects?: Effect[]; forget?: TimerName[] }

/** A kind of run. Pure: time, chance and ids arrive with the event. */
export type Machine<S> = {
  create(event: Stamped<RunEventOf<'run-created'>>): Decision<S>
  decide(state: S, event: Stamped): Decision<S>
}
