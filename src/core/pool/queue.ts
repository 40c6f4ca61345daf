import { RehoboamError } from '../../contract/errors.ts'
import type { NewTask } from '../../contract/pool.ts'
import { shareFiles } from '../parent/files-named.ts'
import { type PoolRun, type PoolTask, withTask } from './pool-state.ts'

/** What can be done with the tasks of a pool: by its own workers, by people, and by an agent with its own. */

// Beyond this a plan is no plan, and every state of the pool carries all of them.
export const MOST_TASKS = 1_000
/** A task that three workers gave back will be given back by the fourth too. */
export const MOST_ATTEMPTS = 3

export function withNewTasks(state: PoolRun, added: NewTask[]): PoolRun {
  const known = new Set(state.tasks.map(({ id }) => id.toLowerCase()))
  const fresh = added.filter(({ id }) => !known.has(id.toLowerCase())).slice(0, MOST_TASKS - state.tasks.length)
  if (fresh.length === 0) return state
  return { ...state, tasks: [...state.tasks, ...fresh.map(newTask)] }
}

function newTask({ id, text, files }: NewTask): PoolTask {
  return {
    id,
    text,
    files,
    state: 'pending',
    by: null,
    attempts: 0,
    reds: 0,
    conflicts: 0,
    say: null,
    bring: false,
    commit: null,
  }
}

/** What may start now: first what was begun, then in the plan's order; nothing beside a task that names the same files. */
export function startable({ tasks }: PoolRun): PoolTask | null {
  const isBusy = ({ state }: PoolTask) => state === 'active' || state === 'merging' || state === 'claimed'
  const taken = tasks.filter(isBusy).flatMap(({ files }) => files)
  const isFree = ({ state, files }: PoolTask) => state === 'pending' && !shareFiles(files, taken)
  return tasks.find(task => task.say !== null && isFree(task)) ?? tasks.find(isFree) ?? null
}

/** Something that a worker could do, now or when it is tried again. */
export function hasWork({ tasks }: PoolRun): boolean {
  return tasks.some(({ state }) => state === 'pending' || state === 'failed' || state === 'stuck')
}

/** By id, in whatever case it is written. Refuses with a sentence. */
export function taskNamed({ id: run, tasks }: PoolRun, id: string): PoolTask {
  const found = tasks.find(task => task.id.toLowerCase() === id.toLowerCase())
  if (found) return found
  throw new RehoboamError(
    'task-unknown',
    `run ${run} has no task "${id}"; rehoboam task list --run ${run} lists its tasks`,
  )
}

/** The task that a claim without a name takes. */
export function nextFree(state: PoolRun): PoolTask {
  const found = startable(state)
  if (found) return found
  throw new RehoboamError('task-none', `run ${state.id} has no task that is free`)
}

export function mayClaim(state: PoolRun, task: PoolTask): void {
  if (task.state === 'pending') return
  const who = task.by ? ` (${task.by})` : ''
  throw new RehoboamError('task-taken', `task ${task.id} is ${task.state}${who}; rehoboam task list --run ${state.id}`)
}

/** Only what a person has: a worker's is the pool's to give back. */
export function mayRelease(state: PoolRun, task: PoolTask): void {
  if (task.state === 'claimed' || task.state === 'failed' || task.state === 'dropped') return
  const way = task.state === 'active' ? `; rehoboam cancel ${state.id}.${task.id} ends its worker` : ''
  throw new RehoboamError('task-not-claimed', `task ${task.id} is ${task.state}, not claimed${way}`)
}

export function mayFinish(_: PoolRun, task: PoolTask): void {
  if (task.state === 'pending' || task.state === 'claimed' || task.state === 'failed') return
  throw new RehoboamError('task-taken', `task ${task.id} is ${task.state}${task.by ? ` (${task.by})` : ''}`)
}

export function claimed(state: PoolRun, id: string, by: string): PoolRun {
  return withTask(state, id, { state: 'claimed', by })
}

export function released(state: PoolRun, id: string): PoolRun {
  return withTask(state, id, { state: 'pending', by: null, attempts: 0 })
}

export function finished(state: PoolRun, id: string, by: string): PoolRun {
  return withTask(state, id, { state: 'done', by, say: null })
}
