import type { RunEvent } from '../../src/contract/event.ts'
import type { LoopSpec } from '../../src/contract/loop.ts'
import type { ChildOutcome, MergeOutcome, NewTask, PoolSpec } from '../../src/contract/pool.ts'
import type { Effect, EffectOf } from '../../src/core/effect.ts'
import { filesNamedIn } from '../../src/core/parent/files-named.ts'
import type { PoolRun } from '../../src/core/pool/pool-state.ts'
import type { RunRecord } from '../../src/core/run/advance.ts'
import {
  BASE,
  branchOpened,
  type Limits,
  loopSpec,
  nextAnswer,
  type Post,
  playFrom,
  postEvent,
  runCreated,
  taskMerged,
  text,
  wardOf,
} from '../core/run-world.ts'

export type PoolRecord = RunRecord<PoolRun>

/** The outside of a pool as tests play it. */

export type PoolChange = Partial<LoopSpec & PoolSpec> & Limits

export function created(change: PoolChange = {}): RunEvent {
  const { maxCostUsd = null, maxTimeMs = null, noQuestions = false, autoSpawn = true, maxWorkers = 3, ...loop } = change
  const pool = { autoSpawn, maxWorkers, workerIterations: 10, stopWord: 'DONE', workerInstructions: null }
  const made = { kind: 'pool' as const, loop: { ...loopSpec, role: 'planner' as const, ...loop }, pool }
  return runCreated(made, { maxCostUsd, maxTimeMs, noQuestions })
}

export const post: Post<PoolRun> = postEvent

export const task = (id: string, words = id): NewTask => ({ id, text: text(900), files: filesNamedIn(words) })

/** How each thing goes, where it differs from going well. Lists are used up, one for each time. */
export type PoolPlay = {
  tasks?: NewTask[][]
  children?: Record<string, Partial<ChildOutcome>[]>
  notStarted?: Record<string, number>
  merges?: Record<string, Partial<MergeOutcome>[]>
  judges?: ('continue' | 'complete' | 'stalled' | 'blocked')[]
  ward?: 'green' | 'red' | 'could-not-run'
}

/** Plays until it rests, or is so far. Effects are answered in the order in which they were asked for. */
export function play(
  from: PoolRecord,
  given: PoolPlay,
  isFar: (record: PoolRecord) => boolean = () => false,
): { record: PoolRecord; log: string[] } {
  const left = structuredClone(given)
  const log: string[] = []
  return {
    record: playFrom(from, at => nextAnswer(at, (key, effect) => answerTo(at.state, key, effect, left, log)), {
      isFar,
    }),
    log,
  }
}

export function playPool(change: PoolChange, given: PoolPlay) {
  return play(post(null, created(change)).record, given)
}

function answerTo(state: PoolRun, effect: string, asked: Effect, left: PoolPlay, log: string[]): RunEvent | null {
  switch (asked.do) {
    case 'open-branch':
      return branchOpened(effect)
    case 'run-ward':
      return { type: 'warded', effect, iteration: asked.iteration, outcome: wardOf(left.ward ?? 'green') }
    case 'read-tasks':
      return { type: 'tasks-read', effect, added: left.tasks?.shift() ?? [], notes: [] }
    case 'tell-children':
      return { type: 'children-told', effect }
    case 'run-child':
      return childEvent(effect, asked, left, log)
    case 'merge-task': {
      log.push(`merge ${asked.task}`)
      return taskMerged(effect, asked, state.loop.ward !== null, left.merges?.[asked.task]?.shift())
    }
    case 'ask-judge': {
      const verdict = left.judges?.shift() ?? 'complete'
      const judgement = { verdict, criteria: [], report: text(60), costUsd: 0.1, failed: false }
      return { type: 'judged', effect, iteration: asked.iteration, judgement }
    }
    default:
      return null
  }
}

function childEvent(effect: string, { child }: EffectOf<'run-child'>, left: PoolPlay, log: string[]): RunEvent {
  const refusals = left.notStarted?.[child] ?? 0
  if (refusals > 0) {
    left.notStarted![child] = refusals - 1
    log.push(`${child} not started`)
    return { type: 'child-not-started', effect, child, cause: 'client-missing', why: text(80) }
  }
  const given = left.children?.[child]?.shift() ?? {}
  log.push(`${child} ${given.status ?? 'complete'}`)
  const outcome: ChildOutcome = {
    status: 'complete',
    cause: 'stop-word',
    iteration: 1,
    costUsd: 0.5,
    commit: BASE,
    limitResetsAt: null,
    heard: [],
    notes: [],
    ...given,
  }
  return { type: 'child-ended', effect, child, outcome }
}
