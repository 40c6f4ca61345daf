import type { TextRef } from '../../contract/ids.ts'
import type { Mark, WardOutcome } from '../../contract/loop.ts'
import type { PoolSpec, TaskState } from '../../contract/pool.ts'
import type { CountedErrors } from '../counted-errors.ts'
import type { ChildNote } from '../effect.ts'
import { type Child, childNamed, newChild, type ParentState } from '../parent/parent-state.ts'

/** A run of kind pool: a planner that writes tasks, workers that do them, and one queue that merges what they did. */
export type PoolRun = ParentState & {
  kind: 'pool'
  pool: PoolSpec
  phase: PoolPhase
  /** How often it has planned. */
  round: number
  /** What its planner is told when it begins or goes on. */
  say: ChildNote | null
  /** The worker of a task is the child of the same name. */
  tasks: PoolTask[]
  /** The last ward on the result; `iteration` counts merges, 0 is the base. */
  lastWard: (WardOutcome & { iteration: number }) | null
  /** tasks.md was read since a worker last worked. */
  isRead: boolean
  /** Checks that were red on merges, with how often. */
  errors: CountedErrors
  criteria: Mark[]
  /** It plans because of what somebody said, not because something is missing. */
  isTold: boolean
  /** The last requests for more workers that were heard. */
  joined: string[]
}

/** `reading`: what the planner wrote is taken in; `rereading`: what else stands in tasks.md when all is done. */
type PoolPhase = 'opening' | 'basing' | 'planning' | 'reading' | 'working' | 'rereading' | 'judging'

export type PoolTask = {
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

export const PLANNER = 'planner'

export function withTask(state: PoolRun, id: string, change: Partial<PoolTask>): PoolRun {
  return { ...state, tasks: state.tasks.map(task => (task.id === id ? { ...task, ...change } : task)) }
}

export function taskOf(state: PoolRun, id: string): PoolTask | undefined {
  return state.tasks.find(task => task.id === id)
}

/** Returns the worker of a task, or the planner. Returns a child that has never worked when there is none yet. */
export function childOf(state: PoolRun, name: string): Child {
  return childNamed(state, name) ?? newChild(name)
}

/** Marks a child as started, or as resumed. */
export function withLiveChild(state: PoolRun, name: string): PoolRun {
  const child: Child = { ...childOf(state, name), isLive: true, status: 'active', cause: null }
  return { ...state, children: [...state.children.filter(other => other.name !== name), child] }
}
