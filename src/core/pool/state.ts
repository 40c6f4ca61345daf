import type { KeptEnvironment, SessionSpec } from '../../contract/event.ts'
import type { TextRef } from '../../contract/ids.ts'
import type { LoopSpec, Mark, WardOutcome } from '../../contract/loop.ts'
import type { PoolSpec, TaskState } from '../../contract/pool.ts'
import type { Cause, RunStatus } from '../../contract/run.ts'
import type { CountedErrors } from '../counted-errors.ts'
import type { ChildNote } from '../effect.ts'
import type { TimeLimit } from '../time-limit.ts'

/** A run of kind pool: a planner that writes tasks, workers that do them, and one queue that merges what they did. */
export type PoolRun = {
  kind: 'pool'
  id: string
  request: string
  status: RunStatus
  cause: Cause | null
  createdAt: number
  endedAt: number | null
  /** What every session of its children is started with. Its project is the user's own. */
  spec: SessionSpec
  /** What its planner, its ward and its judge are. */
  loop: LoopSpec
  pool: PoolSpec
  /** The anchor. */
  prompt: TextRef
  environment: KeptEnvironment
  timeLimit: TimeLimit | null
  phase: PoolPhase
  /** How often it has planned. */
  round: number
  planner: Planner
  tasks: PoolTask[]
  /** Tasks whose workers are done, in the order in which they will be merged. */
  queue: string[]
  /** The one that is being merged now. */
  merging: string | null
  base: { commit: string; tree: string } | null
  /** Where the result branch stands. */
  tip: string | null
  baseRed: string[] | null
  /** The last ward on the result; `iteration` counts merges, 0 is the base. */
  lastWard: (WardOutcome & { iteration: number }) | null
  merges: number
  /** A check of the result was changed or taken away: green is no proof any more. */
  isTampered: boolean
  /** tasks.md was read since a worker last worked. */
  isRead: boolean
  /** Checks that were red on merges, with how often. */
  errors: CountedErrors
  criteria: Mark[]
  /** What its judges have cost. */
  judgesUsd: number
  /** What of all costs was paid before it was last armed: a limit counts from there. */
  paidBeforeUsd: number
  /** What people said and no planner has heard yet. */
  waiting: TextRef[]
  /** It plans because of what somebody said, not because something is missing. */
  isTold: boolean
  /** The last requests for more workers that were heard. */
  joined: string[]
  /** Asked for: done as soon as nothing is in the way of it. */
  wish: 'cancel' | 'reject' | 'cost' | 'time' | null
  proven: boolean | null
  blocks: number
  notes: TextRef[]
  repairs: number
}

/** `reading`: what the planner wrote is taken in; `rereading`: what else stands in tasks.md when all is done. */
export type PoolPhase = 'opening' | 'basing' | 'planning' | 'reading' | 'working' | 'rereading' | 'judging' | 'ended'

/** What a child said of itself last. */
export type Child = { isLive: boolean; status: RunStatus; cause: Cause | null; iteration: number; costUsd: number }

export type Planner = Child & { say: ChildNote | null }

export type PoolTask = Child & {
  id: string
  text: TextRef
  files: string[]
  state: TaskState
  /** Who has it or did it: a run, or a person. */
  by: string | null
  /** How often a worker gave it back. */
  attempts: number
  /** How often its work was refused because the checks were red on the result. */
  reds: number
  conflicts: number
  /** What its worker is told when it goes on. */
  say: ChildNote | null
  /** Its worker's branch has to take in the result before it goes on. */
  bring: boolean
  /** What its worker left; once it is merged, as what. */
  commit: string | null
}

export const NO_CHILD: Child = { isLive: false, status: 'active', cause: null, iteration: 0, costUsd: 0 }

const NOTES_KEPT = 20

export function noted(state: PoolRun, more: TextRef[]): PoolRun {
  if (more.length === 0) return state
  return { ...state, notes: [...state.notes, ...more.filter(note => !state.notes.includes(note))].slice(-NOTES_KEPT) }
}

export function withTask(state: PoolRun, id: string, change: Partial<PoolTask>): PoolRun {
  return { ...state, tasks: state.tasks.map(task => (task.id === id ? { ...task, ...change } : task)) }
}

export function taskOf(state: PoolRun, id: string): PoolTask | undefined {
  return state.tasks.find(task => task.id === id)
}

export function poolCost({ planner, tasks, judgesUsd }: PoolRun): number {
  const all = tasks.reduce((sum, { costUsd }) => sum + costUsd, planner.costUsd + judgesUsd)
  return Math.round(all * 1e6) / 1e6
}

/** The children that are there now. */
export function liveOf({ planner, tasks }: PoolRun): { name: string; child: Child }[] {
  const workers = tasks.filter(({ isLive }) => isLive).map(task => ({ name: task.id, child: task }))
  return planner.isLive ? [{ name: 'planner', child: planner }, ...workers] : workers
}
