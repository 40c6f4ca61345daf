import type { RunEventOf, Stamped } from '../../contract/event.ts'
import { errorsWith, redErrors } from '../counted-errors.ts'
import type { ChildNote } from '../effect.ts'
import type { Decision } from '../machine.ts'
import { CONFLICT_ANSWERED_NOTE, CONFLICT_NOTE, RED_MERGED_NOTE } from '../notes.ts'
import { afterMerge, block, isStopping, saying, unblock } from '../parent/parent-moves.ts'
import { withNotes } from '../parent/parent-state.ts'
import { proceed } from './pool-moves.ts'
import { type PoolRun, taskOf, withTask } from './pool-state.ts'

/** What follows a merge. */

// The ward is red on the result again and again: another round would be the same.
const MOST_REDS = 3

export function taskMerged(before: PoolRun, event: Stamped<RunEventOf<'task-merged'>>): Decision<PoolRun> {
  const { task: id, outcome, at } = event
  const { result, tip, ward, report } = outcome
  const task = taskOf(before, id)!
  const merged = afterMerge(before, event)
  const isWarded = ward !== null && result === 'merged'
  const state = isWarded ? { ...merged, lastWard: { ...ward, iteration: before.merges } } : merged
  switch (result) {
    case 'merged':
    case 'nothing': {
      const said = ward?.tampered ? [ward.report] : []
      return proceed(
        withNotes(withTask(state, id, { state: 'merged', commit: result === 'merged' ? tip : task.commit }), said),
        at,
      )
    }
    case 'red': {
      const reds = task.reds + 1
      const errors = errorsWith(before.errors, redErrors(ward?.failing ?? [], before.baseRed))
      if (reds >= MOST_REDS) return proceed(withTask({ ...state, errors }, id, { state: 'failed', reds }), at)
      return back(withTask({ ...state, errors }, id, { reds }), id, saying(RED_MERGED_NOTE, report), at)
    }
    case 'conflict': {
      const conflicts = task.conflicts + 1
      if (conflicts > 1) return proceed(withNotes(withTask(state, id, { state: 'stuck', conflicts }), [report]), at)
      return back(withTask(state, id, { conflicts }), id, saying(CONFLICT_NOTE, report), at)
    }
    case 'could-not-run': {
      // It stays at the head of the queue: whoever mends the checks lets it go on.
      const again = withNotes({ ...state, queue: before.queue }, [report])
      return isStopping(again) ? proceed(again, at) : block(again, 'ward-could-not-run')
    }
  }
}

function back(state: PoolRun, id: string, say: ChildNote, at: number): Decision<PoolRun> {
  return proceed(withTask(state, id, { state: 'pending', say, bring: true }), at)
}

/** A person has said how a conflict is resolved, or that the task shall go. */
export function answered(state: PoolRun, event: Stamped<RunEventOf<'answered'>>): Decision<PoolRun> {
  const { task: id, text, drop, at } = event
  const active = unblock(state)
  if (id === undefined) return proceed(active, at)
  if (taskOf(state, id)?.state !== 'stuck') return { state }
  if (drop) return proceed(withTask(active, id, { state: 'dropped' }), at)
  return back(withTask(active, id, { conflicts: 1 }), id, saying(CONFLICT_ANSWERED_NOTE, text), at)
}
