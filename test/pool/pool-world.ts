import type { RunEvent, SessionSpec, Stamped } from '../../src/contract/event.ts'
import type { LoopSpec } from '../../src/contract/loop.ts'
import type { ChildOutcome, MergeOutcome, NewTask, PoolSpec } from '../../src/contract/pool.ts'
import type { Effect, EffectOf, KeyedEffect } from '../../src/core/effect.ts'
import { filesNamedIn } from '../../src/core/pool/files-named.ts'
import type { PoolRun } from '../../src/core/pool/state.ts'
import { advance, isStale, type RunRecord } from '../../src/core/run/advance.ts'
import { environment, RUN, spec, text } from '../core/session-world.ts'
import { loopSpec } from '../loop/loop-world.ts'

export type PoolRecord = RunRecord<PoolRun>

/** The outside of a pool as tests play it. */

export const BASE = 'b'.repeat(40)
export const commitOf = (n: number) => n.toString(16).padStart(40, '0')

export type PoolChange = Partial<LoopSpec & PoolSpec & Pick<SessionSpec, 'maxCostUsd' | 'maxTimeMs' | 'noQuestions'>>

export function created(change: PoolChange = {}): RunEvent {
  const { maxCostUsd = null, maxTimeMs = null, noQuestions = false, autoSpawn = true, maxWorkers = 3, ...loop } = change
  return {
    type: 'run-created',
    kind: 'pool',
    run: RUN,
    request: '22222222-2222-4222-8222-222222222222',
    spec: { ...spec, maxCostUsd, maxTimeMs, noQuestions },
    prompt: text(1),
    environment,
    loop: { ...loopSpec, role: 'planner', ...loop },
    pool: { autoSpawn, maxWorkers, workerIterations: 10, stopWord: 'DONE', workerInstructions: null },
  }
}

export type Happening = { record: PoolRecord; effects: KeyedEffect[] }

export function stamp(record: PoolRecord | null, event: RunEvent): Stamped {
  return { ...event, seq: (record?.seq ?? 0) + 1, at: (record?.at ?? 0) + 1000 } as Stamped
}

export function post(record: PoolRecord | null, event: RunEvent): Happening {
  if (record && isStale(record, event)) return { record, effects: [] }
  return advance<PoolRun>(record, stamp(record, event))
}

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
  let record = from
  for (let n = 0; n < 2_000; n++) {
    if (isFar(record)) return { record, log }
    const next = nextEvent(record, left, log)
    if (!next) return { record, log }
    record = post(record, next).record
  }
  throw new Error('the pool does not come to rest')
}

export function playPool(change: PoolChange, given: PoolPlay) {
  return play(post(null, created(change)).record, given)
}

function nextEvent({ pending, state }: PoolRecord, left: PoolPlay, log: string[]): RunEvent | null {
  for (const [key, effect] of Object.entries(pending)) {
    const event = answerTo(state, key, effect, left, log)
    if (event) return event
  }
  return null
}

function answerTo(state: PoolRun, effect: string, asked: Effect, left: PoolPlay, log: string[]): RunEvent | null {
  switch (asked.do) {
    case 'open-branch':
      return { type: 'branch-opened', effect, base: { commit: BASE, tree: BASE }, notes: [] }
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
      const given = left.merges?.[asked.task]?.shift() ?? {}
      const ward = state.loop.ward === null ? null : wardOf(given.result === 'red' ? 'red' : 'green')
      const outcome: MergeOutcome = {
        result: 'merged',
        tip: commitOf(asked.merge),
        tree: null,
        ward,
        report: text(70),
        ...given,
      }
      return { type: 'task-merged', effect, task: asked.task, outcome }
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

export function wardOf(result: 'green' | 'red' | 'could-not-run') {
  const failing = result === 'red' ? ['00000001'] : []
  return {
    result,
    failing,
    tampered: false,
    tampering: [],
    named: null,
    changes: null,
    report: text(50),
    ms: 1,
    cached: false,
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
