import type { RunCreatedOf, RunEventOf, Stamped, TimerName } from '../contract/event.ts'
import type { RunKind } from '../contract/run.ts'
import type { Effect } from './effect.ts'

/** What a decision gives: the next state, the deeds it asks for, and what no longer matters of those asked for before. */
export type Decision<S> = { state: S; effects?: Effect[]; forget?: Forgotten[] }

/** Timers by name. Of other deeds those whose outcome nobody needs: a session and its checkpoint are never among them. */
export type Forgotten =
  | TimerName
  | 'open-loop'
  | 'open-branch'
  | 'prepare-iteration'
  | 'run-ward'
  | 'ask-judge'
  | 'read-tasks'

export function isForgotten(effect: Effect, forgotten: readonly Forgotten[]): boolean {
  return (forgotten as readonly string[]).includes(effect.do === 'set-timer' ? effect.name : effect.do)
}

/** A kind of run. Pure: time, chance and ids arrive with the event. */
export type Machine<S extends { kind: RunKind }> = {
  create(event: Stamped<RunCreatedOf<S['kind']>>): Decision<S>
  decide(state: S, event: Stamped): Decision<S>
}

/** How every run that owns sessions begins. */
export function beginning({ run, request, spec, prompt, environment, at }: Stamped<RunEventOf<'run-created'>>) {
  return {
    id: run,
    request,
    status: 'active' as const,
    cause: null,
    createdAt: at,
    endedAt: null,
    spec,
    prompt,
    environment,
    base: null,
    baseRed: null,
    lastWard: null,
    paidBeforeUsd: 0,
    waiting: [],
    proven: null,
    notes: [],
    repairs: 0,
  }
}
