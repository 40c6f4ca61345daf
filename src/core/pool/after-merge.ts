import type { RunEventOf, Stamped } from '../../contract/event.ts'
import { errorsWith, redErrors } from '../counted-errors.ts'
import type { ChildNote } from '../effect.ts'
import type { Decision } from '../machine.ts'
import { afterMerge, block, saying, unblock } from '../parent/moves.ts'
import { withNotes } from '../parent/state.ts'
import { proceed } from './moves.ts'
import { type PoolRun, taskOf, withTask } from './state.ts'

/** What follows a merge. */

// The ward is red on the result again and again: another round would be the same.
const MOST_REDS = 3

const RED_NOTE =
  'Your work was merged with what others did meanwhile, and then the checks were red. The result of the others is in your worktree now. Find out why the checks fail there, mend it, and end as before.'
const CONFLICT_NOTE =
  'Your work and what others did meanwhile meet in the same lines. Their result is in your worktree now, with the marks of the conflicts (<<<<<<<, =======, >>>>>>>) in the files named below. Resolve them so that both intentions hold, leave no mark behind, and end as before.'
const ANSWER_NOTE =
  'A person was asked about the conflict of your work with that of others, and answered. The result of the others is in your worktree. Do as the answer says, leave no mark of a conflict behind, and end as before.'

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
      return back(withTask({ ...state, errors }, id, { reds }), id, saying(RED_NOTE, report), at)
    }
    case 'conflict': {
      const conflicts = task.conflicts + 1
      if (conflicts > 1) return proceed(withNotes(withTask(state, id, { state: 'stuck', conflicts }), [report]), at)
      return back(withTask(state, id, { conflicts }), id, saying(CONFLICT_NOTE, report), at)
    }
    case 'could-not-run':
      // It stays at the head of the queue: whoever mends the checks lets it go on.
      return block(withNotes({ ...state, queue: before.queue }, [report]), 'ward-could-not-run')
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
  return back(withTask(active, id, { conflicts: 1 }), id, saying(ANSWER_NOTE, text), at)
}
