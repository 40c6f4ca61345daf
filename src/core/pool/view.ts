import type { PoolView, TaskView } from '../../contract/pool.ts'
import { CAUSES, type RunDetail, type RunSummary } from '../../contract/run.ts'
import { type PoolRun, type PoolTask, poolCost } from './state.ts'

type Iso = (ms: number) => string

export function poolSummary(state: PoolRun, iso: Iso): RunSummary {
  const count = (...of: PoolTask['state'][]) => state.tasks.filter(task => of.includes(task.state)).length
  return {
    id: state.id,
    kind: 'pool',
    parent: null,
    status: state.status,
    cause: state.cause,
    proven: state.proven,
    project: state.spec.project,
    iteration: null,
    maxIterations: null,
    steps: {
      total: state.tasks.length,
      complete: count('merged', 'done'),
      running: count('active', 'merging', 'claimed'),
      blocked: count('stuck', 'failed', 'dropped'),
    },
    costUsd: poolCost(state),
    startedAt: iso(state.createdAt),
    endedAt: state.endedAt === null ? null : iso(state.endedAt),
  }
}

type FromState = Omit<RunDetail, 'prompt' | 'result' | 'notes' | 'directory' | 'diskBytes' | 'seq'>

export function poolDetail(state: PoolRun, iso: Iso): FromState {
  return {
    ...poolSummary(state, iso),
    sentence: poolSentence(state),
    session: state.spec.session,
    driver: state.spec.driver,
    model: state.spec.model,
    turns: [],
    messagesWaiting: state.waiting.length,
    pool: poolView(state),
  }
}

function poolView(state: PoolRun): PoolView {
  return {
    directory: state.loop.directory,
    phase: state.phase,
    round: state.round,
    maxWorkers: state.pool.autoSpawn ? state.pool.maxWorkers : 0,
    branch: `rehoboam/${state.id}`,
    base: state.base?.commit ?? null,
    tip: state.tip,
    baseRed: state.baseRed?.length ?? null,
    planner: state.round > 0 ? `${state.id}.planner` : null,
    tasks: state.tasks.map(task => taskView(state, task)),
  }
}

/** Without its words: they are beside the journal. */
export function taskView({ id: run }: PoolRun, task: PoolTask): TaskView {
  return {
    id: task.id,
    state: task.state,
    title: '',
    by: task.by,
    attempts: task.attempts,
    iterations: task.iteration,
    costUsd: Math.round(task.costUsd * 1e6) / 1e6,
    commit: task.commit,
    branch: task.iteration > 0 || task.commit !== null ? `rehoboam-work/${run}/${task.id}` : null,
  }
}

const PHASES: Record<PoolRun['phase'], string> = {
  opening: 'its directory and its branch are being made',
  basing: 'the checks run on what was there before it',
  planning: 'the planner plans',
  reading: 'the plan is being read',
  working: 'workers work',
  rereading: 'the plan is being read again',
  judging: 'the judge is being asked',
  ended: 'has ended',
}

/** Where it stands and why, for a person. */
function poolSentence(state: PoolRun): string {
  if (state.cause) return CAUSES[state.cause]
  if (state.wish) return 'its workers are being ended'
  const over = state.tasks.filter(({ state: is }) => is === 'merged' || is === 'done').length
  const progress = state.tasks.length ? `, ${over} of ${state.tasks.length} tasks are done` : ''
  return `${PHASES[state.phase]}${progress}`
}
