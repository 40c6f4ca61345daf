import type { RunEvent, RunEventOf, Stamped } from '../../contract/event.ts'
import type { EffectKey } from '../../contract/ids.ts'
import type { Effect, KeyedEffect } from '../effect.ts'
import { loopMachine } from '../loop/loop-machine.ts'
import { type Decision, type Forgotten, isForgotten } from '../machine.ts'
import { poolMachine } from '../pool/pool-machine.ts'
import { questMachine } from '../quest/quest-machine.ts'
import { sessionMachine } from '../session/session-machine.ts'
import type { RunState } from './run-state.ts'

/** All that is known of a run after its event number `seq`. It is JSON, so it can be stored as a snapshot. */
export type RunRecord<S extends RunState = RunState> = {
  seq: number
  at: number
  state: S
  /** Effects that were decided and whose outcome is not written down yet. After a restart these are done again. */
  pending: Record<EffectKey, Effect>
}

/** Outcomes that settle the effect they name; `session-started` and `session-reported` come while it still lives. */
const SETTLES: ReadonlySet<RunEvent['type']> = new Set([
  'session-ended',
  'session-not-started',
  'session-end-delivered',
  'text-typed',
  'timer-fired',
  'loop-opened',
  'loop-not-opened',
  'iteration-prepared',
  'project-not-found',
  'tree-not-kept',
  'iteration-closed',
  'warded',
  'judged',
  'branch-opened',
  'branch-not-opened',
  'child-not-started',
  'child-ended',
  'children-told',
  'tasks-read',
  'task-merged',
])

/** One event further. The same events always give the same record: that is replay. */
export function advance<S extends RunState = RunState>(
  record: RunRecord<S> | null,
  event: Stamped,
): { record: RunRecord<S>; effects: KeyedEffect[] } {
  // A run never changes its kind.
  const decision = decide(record, event) as Decision<S>
  const effects = (decision.effects ?? []).map((effect, n) => ({
    key: `${decision.state.id}:${event.seq}:${n}`,
    effect,
  }))
  const settled = 'effect' in event && SETTLES.has(event.type) ? event.effect : null
  const pending = pendingAfter(record?.pending ?? {}, settled, decision.forget ?? [], effects)
  return { record: { seq: event.seq, at: event.at, state: decision.state, pending }, effects }
}

/** Most events settle nothing and ask for nothing: then nothing is copied, which is what a long replay lives on. */
function pendingAfter(
  before: RunRecord['pending'],
  settled: EffectKey | null,
  forgotten: Forgotten[],
  asked: KeyedEffect[],
): RunRecord['pending'] {
  if (settled === null && forgotten.length === 0 && asked.length === 0) return before
  const pending: RunRecord['pending'] = {}
  for (const key in before) {
    const effect = before[key]!
    if (key !== settled && !isForgotten(effect, forgotten)) pending[key] = effect
  }
  for (const { key, effect } of asked) pending[key] = effect
  return pending
}

/** An outcome of an effect that is settled already, or was never asked for, says nothing new. */
export function isStale(record: RunRecord, event: RunEvent): boolean {
  return 'effect' in event && !(event.effect in record.pending)
}

function decide(record: RunRecord | null, event: Stamped): Decision<RunState> {
  if (event.type === 'run-created') {
    if (record) return { state: record.state }
    return create(event)
  }
  if (!record) throw new Error(`a journal begins with run-created, not with ${event.type}`)
  const { state } = record
  switch (state.kind) {
    case 'session':
      return sessionMachine.decide(state, event)
    case 'loop':
      return loopMachine.decide(state, event)
    case 'pool':
      return poolMachine.decide(state, event)
    case 'quest':
      return questMachine.decide(state, event)
  }
}

function create(event: Stamped<RunEventOf<'run-created'>>): Decision<RunState> {
  switch (event.kind) {
    case 'session':
      return sessionMachine.create(event)
    case 'loop':
      return loopMachine.create(event)
    case 'pool':
      return poolMachine.create(event)
    case 'quest':
      return questMachine.create(event)
  }
}
