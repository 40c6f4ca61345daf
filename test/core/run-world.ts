import type { RunCreatedOf, RunEvent, SessionSpec, Stamped } from '../../src/contract/event.ts'
import type { LoopSpec, WardOutcome } from '../../src/contract/loop.ts'
import type { MergeOutcome } from '../../src/contract/pool.ts'
import type { RunKind } from '../../src/contract/run.ts'
import type { Effect, EffectOf, KeyedEffect } from '../../src/core/effect.ts'
import { advance, isStale, type RunRecord } from '../../src/core/run/advance.ts'
import type { RunState } from '../../src/core/run/run-state.ts'

/** What the worlds of all kinds of runs share: what a run is made with, and one event after the other. */

export const RUN = 'k3v9x0ab'
export const BASE = 'b'.repeat(40)
export const text = (n: number) => n.toString(16).padStart(64, '0')
export const commitOf = (n: number) => n.toString(16).padStart(40, '0')
export const environment = { kept: { PATH: '/bin' }, credentials: [], others: [] }

export const spec: SessionSpec = {
  session: '11111111-1111-4111-8111-111111111111',
  project: '/p',
  driver: 'headless',
  client: 'claude',
  model: null,
  permissionMode: null,
  allowedTools: [],
  arguments: [],
  directories: [],
  maxCostUsd: null,
  maxTimeMs: 3_600_000,
  backgroundGraceMs: 120_000,
  endGraceMs: 5_000,
  crashRetries: 2,
  stuckAfterMs: 600_000,
  lineLimitBytes: 8_000_000,
  endsWithTurn: false,
  noQuestions: false,
}

export const loopSpec: LoopSpec = {
  directory: '/p/.rehoboam',
  role: 'auto',
  maxIterations: 50,
  stopWord: 'DONE',
  stallAfter: 3,
  judge: 'heuristic',
  judgePrompt: null,
  instructions: null,
  ward: null,
  wardTimeMs: 60_000,
  acceptRedBase: false,
  setup: null,
  worktree: null,
  criteria: 1,
  task: null,
  lessons: null,
  disposable: null,
}

/** The limits of a run that tests vary. */
export type Limits = Partial<Pick<SessionSpec, 'maxCostUsd' | 'maxTimeMs' | 'noQuestions'>>

type Given = 'type' | 'run' | 'request' | 'spec' | 'prompt' | 'environment'
type Made = { [K in RunKind]: Omit<RunCreatedOf<K>, Given> }[RunKind]

export function runCreated(made: Made, change: Partial<SessionSpec> = {}): RunEvent {
  return {
    type: 'run-created',
    run: RUN,
    request: '22222222-2222-4222-8222-222222222222',
    spec: { ...spec, ...change },
    prompt: text(1),
    environment,
    ...made,
  }
}

export type Happening<S extends RunState> = { record: RunRecord<S>; effects: KeyedEffect[] }
export type Post<S extends RunState> = (record: RunRecord<S> | null, event: RunEvent, afterMs?: number) => Happening<S>

/** One event through the door, as a run's mailbox lets it in: numbered, dated, and dropped when it says nothing new. */
export function postEvent<S extends RunState>(
  record: RunRecord<S> | null,
  event: RunEvent,
  afterMs = 1000,
): Happening<S> {
  if (record && isStale(record, event)) return { record, effects: [] }
  return advance<S>(record, stamp(record, event, afterMs))
}

export function stamp(record: RunRecord | null, event: RunEvent, afterMs = 1000): Stamped {
  return { ...event, seq: (record?.seq ?? 0) + 1, at: (record?.at ?? 0) + afterMs } as Stamped
}

/** Answers the first pending effect to which there is an answer. */
export function nextAnswer(
  { pending }: RunRecord,
  answer: (key: string, effect: Effect) => RunEvent | null,
): RunEvent | null {
  for (const [key, effect] of Object.entries(pending)) {
    const event = answer(key, effect)
    if (event) return event
  }
  return null
}

/** Posts what comes next until nothing does, or the run is so far. */
export function playFrom<S extends RunState>(
  from: RunRecord<S>,
  next: (record: RunRecord<S>) => RunEvent | null,
  { most = 5_000, isFar = () => false }: { most?: number; isFar?: (record: RunRecord<S>) => boolean } = {},
): RunRecord<S> {
  let record = from
  for (let n = 0; n < most; n++) {
    const event = next(record)
    if (!event || isFar(record)) return record
    record = postEvent(record, event, timeTo(record, event)).record
  }
  throw new Error(`the ${from.state.kind} does not come to rest`)
}

/** A timer fires when it is due; whatever else happens takes a second. */
function timeTo({ at, pending }: RunRecord, event: RunEvent): number {
  const timer = event.type === 'timer-fired' ? pending[event.effect] : undefined
  return timer?.do === 'set-timer' ? Math.max(0, timer.atMs - at) : 1000
}

export function wardOf(result: WardOutcome['result']): WardOutcome {
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

export function branchOpened(effect: string): RunEvent {
  return { type: 'branch-opened', effect, base: { commit: BASE, tree: BASE }, notes: [] }
}

/** A merge that went well, where nothing else is given. */
export function taskMerged(
  effect: string,
  asked: EffectOf<'merge-task'>,
  hasWard: boolean,
  given: Partial<MergeOutcome> = {},
): RunEvent {
  const { result = 'merged' } = given
  const ward = hasWard ? wardOf(result === 'red' ? 'red' : 'green') : null
  const tip = result === 'merged' ? commitOf(asked.merge) : asked.tip
  const outcome: MergeOutcome = { result, tip, tree: null, ward, report: text(70), ...given }
  return { type: 'task-merged', effect, task: asked.task, outcome }
}
