import type { RunEvent, Stamped } from '../contract/event.ts'
import type { EffectKey } from '../contract/ids.ts'
import type { Effect, KeyedEffect } from './effect.ts'
import type { Decision } from './machine.ts'
import { sessionMachine } from './session/machine.ts'
import type { SessionRun } from './session/state.ts'

/** All that is known of a run after its event number `seq`. It is JSON, so it can be stored as a snapshot. */
export type RunRecord = {
  seq: number
  at: number
  state: SessionRun
  /** Effects that were decided and whose outcome is not written down yet. After a restart these are done again. */
  pending: Record<EffectKey, Effect>
}

/** Outcomes that settle the effect they name; `session-started` and `session-reported` come while it still lives. */
const SETTLES: ReadonlySet<RunEvent['type']> = new Set([
  'session-ended',
  'session-not-started',
  'session-end-delivered',
  'timer-fired',
])

/** One event further. The same events always give the same record: that is replay. */
export function advance(record: RunRecord | null, event: Stamped): { record: RunRecord; effects: KeyedEffect[] } {
  const decision = decide(record, event)
  const pending = { ...record?.pending }
  if ('effect' in event && SETTLES.has(event.type)) delete pending[event.effect]
  for (const name of decision.forget ?? []) {
    for (const [key, effect] of Object.entries(pending)) {
      if (effect.do === 'set-timer' && effect.name === name) delete pending[key]
    }
  }
  const effects = (decision.effects ?? []).map((effect, n) => ({
    key: `${decision.state.id}:${event.seq}:${n}`,
    effect,
  }))
  for (const { key, effect } of effects) pending[key] = effect
  return { record: { seq: event.seq, at: event.at, state: decision.state, pending }, effects }
}

/** An outcome of an effect that is settled already, or was never asked for, says nothing new. */
export function isStale(record: RunRecord, event: RunEvent): boolean {
  return 'effect' in event && !(event.effect in record.pending)
}

function decide(record: RunRecord | null, event: Stamped): Decision<SessionRun> {
  if (event.type === 'run-created') {
    if (record) return { state: record.state }
    return sessionMachine.create(event)
  }
  if (!record) throw new Error(`a journal begins with run-created, not with ${event.type}`)
  return sessionMachine.decide(record.state, event)
}
