import type { RunEvent } from '../../src/contract/event.ts'
import type { Effect } from '../../src/core/effect.ts'
import type { PoolRun } from '../../src/core/pool/pool-state.ts'
import type { Kind } from '../core/lives.ts'
import { branchOpened, commitOf, environment, text, wardOf } from '../core/run-world.ts'
import fc from '../support/laws.ts'
import { created, type PoolChange, type PoolRecord, task } from './pool-world.ts'

const TASKS = [
  task('A', 'files: x.ts'),
  task('B', 'files: x.ts'),
  task('C', 'files: y/z.ts'),
  task('D'),
  task('E', 'files: y'),
]
const NOTHING = { limitResetsAt: null, heard: [], notes: [] }

const specs = fc.record<PoolChange>({
  autoSpawn: fc.constantFrom(true, true, true, false),
  maxWorkers: fc.integer({ min: 1, max: 3 }),
  judge: fc.constantFrom('heuristic', 'model'),
  ward: fc.constantFrom(null, text(77)),
  maxCostUsd: fc.constantFrom(null, 4),
  maxTimeMs: fc.constantFrom(null, 60_000),
  noQuestions: fc.boolean(),
})

export const poolKind: Kind<PoolRun> = { kind: 'pool', starts: specs.map(created), moves: movesIn }

/** Everything that can happen now: outcomes of what was asked for, and what people do. */
function movesIn({ pending, state, seq }: PoolRecord): RunEvent[] {
  const outcomes = Object.entries(pending).flatMap(([key, effect]) => outcomesOf(key, effect, seq))
  const claimable = state.tasks.find(task => task.state === 'pending')
  const held = state.tasks.find(task => task.state === 'claimed')
  const stuck = state.tasks.find(task => task.state === 'stuck')
  return [
    // Three times, because else a life of chance hardly comes to a second worker.
    ...outcomes,
    ...outcomes,
    ...outcomes,
    { type: 'cancel-requested' },
    { type: 'pause-requested' },
    { type: 'reject-requested' },
    { type: 'told', text: text(7) },
    { type: 'clock-stopped' },
    { type: 'clock-started' },
    { type: 'answered', text: text(8) },
    { type: 'resume-requested', text: null, environment },
    { type: 'resume-requested', text: text(9), environment, workers: 1 },
    { type: 'tasks-added', added: [task(`N${seq}`)] },
    ...(claimable ? [{ type: 'task-claimed' as const, task: claimable.id, by: 'person' }] : []),
    ...(held ? [{ type: 'task-released' as const, task: held.id }] : []),
    ...(held ? [{ type: 'task-done' as const, task: held.id, by: 'person' }] : []),
    ...(stuck ? [{ type: 'answered' as const, text: text(8), task: stuck.id, drop: seq % 2 === 0 }] : []),
  ]
}

function outcomesOf(effect: string, asked: Effect, seq: number): RunEvent[] {
  switch (asked.do) {
    case 'open-branch':
      return [branchOpened(effect), { type: 'branch-not-opened', effect, cause: 'git-busy' }]
    case 'run-ward':
      return [
        ...(['green', 'red', 'could-not-run'] as const).map(result => ({
          type: 'warded' as const,
          effect,
          iteration: asked.iteration,
          outcome: wardOf(result),
        })),
        { type: 'project-not-found', effect },
      ]
    case 'read-tasks':
      return [TASKS, [], TASKS.slice(0, 2)].map(added => ({ type: 'tasks-read', effect, added, notes: [] }))
    case 'tell-children':
      return [{ type: 'children-told', effect }]
    case 'run-child': {
      const { child } = asked
      const told = { iteration: 1, costUsd: 0.25, cause: null }
      const ends = (['complete', 'complete', 'complete', 'failed', 'cancelled', 'over-budget', 'stalled'] as const).map(
        status => ({
          type: 'child-ended' as const,
          effect,
          child,
          outcome: {
            status,
            ...told,
            cause: status === 'failed' ? ('crashed' as const) : null,
            commit: commitOf(seq),
            ...NOTHING,
          },
        }),
      )
      const changes = (['active', 'paused', 'blocked', 'complete'] as const).map(status => ({
        type: 'child-changed' as const,
        effect,
        child,
        status,
        ...told,
        cause:
          status === 'blocked' ? ('waits-for-person' as const) : status === 'paused' ? ('question' as const) : null,
      }))
      const refused = {
        type: 'child-not-started' as const,
        effect,
        child,
        cause: 'client-missing' as const,
        why: text(6),
      }
      return [...ends, ...changes, refused]
    }
    case 'merge-task':
      return (['merged', 'merged', 'nothing', 'red', 'conflict', 'could-not-run'] as const).map(result => ({
        type: 'task-merged',
        effect,
        task: asked.task,
        outcome: { result, tip: commitOf(seq), tree: null, ward: wardOf('green'), report: text(5) },
      }))
    case 'ask-judge':
      return (['continue', 'complete', 'stalled', 'blocked'] as const).map(verdict => ({
        type: 'judged',
        effect,
        iteration: Math.max(1, asked.iteration),
        judgement: { verdict, criteria: [], report: text(4), costUsd: 0.1, failed: false },
      }))
    case 'set-timer':
      return [{ type: 'timer-fired', effect, timer: asked.name }]
    default:
      return []
  }
}
