import type { PoolView, TaskView } from '../../contract/pool.ts'
import type { RunSummary } from '../../contract/run.ts'
import { branchView, parentDetail, parentSummary } from '../parent/parent-view.ts'
import { type FromState, type Iso, roundedUsd } from '../summary.ts'
import { childOf, type PoolRun, type PoolTask } from './pool-state.ts'

export function poolSummary(state: PoolRun, iso: Iso): RunSummary {
  const count = (...of: PoolTask['state'][]) => state.tasks.filter(task => of.includes(task.state)).length
  return parentSummary(state, iso, {
    total: state.tasks.length,
    complete: count('merged', 'done'),
    running: count('active', 'merging', 'claimed'),
    blocked: count('stuck', 'failed', 'dropped'),
  })
}

export function poolDetail(state: PoolRun, iso: Iso): FromState {
  const detail = parentDetail(state, poolSummary(state, iso), progressOf(state), state.waiting.length)
  return { ...detail, pool: poolView(state) }
}

function poolView(state: PoolRun): PoolView {
  return {
    directory: state.loop.directory,
    phase: phaseOf(state),
    round: state.round,
    maxWorkers: state.pool.autoSpawn ? state.pool.maxWorkers : 0,
    ...branchView(state),
    planner: state.round > 0 ? `${state.id}.planner` : null,
    tasks: state.tasks.map(task => taskView(state, task)),
  }
}

/** Without its words: they are beside the journal. */
export function taskView(state: PoolRun, task: PoolTask): TaskView {
  const { iteration, costUsd } = childOf(state, task.id)
  return {
    id: task.id,
    state: task.state,
    title: '',
    by: task.by,
    attempts: task.attempts,
    iterations: iteration,
    costUsd: roundedUsd(costUsd),
    commit: task.commit,
    branch: iteration > 0 || task.commit !== null ? `rehoboam-work/${state.id}/${task.id}` : null,
  }
}

const PHASES: Record<ReturnType<typeof phaseOf>, string> = {
  opening: 'its directory and its branch are being made',
  basing: 'the checks run on what was there before it',
  planning: 'the planner plans',
  reading: 'the plan is being read',
  working: 'workers work',
  rereading: 'the plan is being read again',
  judging: 'the judge is being asked',
  ended: 'has ended',
}

function phaseOf({ phase, endedAt }: PoolRun): PoolRun['phase'] | 'ended' {
  return endedAt === null ? phase : 'ended'
}

/** Where it stands, for a person. */
function progressOf(state: PoolRun): string {
  const over = state.tasks.filter(({ state: is }) => is === 'merged' || is === 'done').length
  const progress = state.tasks.length ? `, ${over} of ${state.tasks.length} tasks are done` : ''
  return `${PHASES[phaseOf(state)]}${progress}`
}
