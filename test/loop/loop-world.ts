import type { RunEvent } from '../../src/contract/event.ts'
import type { IterationFacts, Judgement, LoopSpec, WardOutcome } from '../../src/contract/loop.ts'
import type { Effect } from '../../src/core/effect.ts'
import type { LoopRun } from '../../src/core/loop/loop-state.ts'
import type { RunRecord } from '../../src/core/run/advance.ts'
import {
  type Limits,
  loopSpec,
  nextAnswer,
  type Post,
  playFrom,
  postEvent,
  runCreated,
  text,
  wardOf,
} from '../core/run-world.ts'

export type LoopRecord = RunRecord<LoopRun>

/** The outside of a loop as tests play it: every effect is answered by an event, until the loop rests or has ended. */

export const COMMIT = 'c'.repeat(40)
const TREE = 'd'.repeat(40)

export const WARD = text(77)

/** What one iteration gives, where it differs from one that did something and goes on. */
export type Played = {
  facts?: Partial<IterationFacts>
  /** How its session ends: by itself, with an error, or cut off. */
  ends?: 'ok' | 'limit' | 'overloaded' | 'outage' | 'api-error' | 'auth' | 'max-cost' | 'crash'
  /** A limit or an outage is not over when it was waited for once. */
  lasts?: boolean
  /** The model had answered before it was gone. */
  answered?: boolean
  costUsd?: number
  ward?: Partial<WardOutcome>
  judge?: Partial<Judgement>
}

/** What a loop was asked to be: its own, and what it shares with a single session. */
export type LoopChange = Partial<LoopSpec> & Limits

export function created(change: LoopChange = {}, driver: 'headless' | 'pane' = 'headless'): RunEvent {
  const { maxCostUsd = null, maxTimeMs = null, noQuestions = false, ...loop } = change
  const limits = { driver, maxCostUsd, maxTimeMs, noQuestions, crashRetries: 1 }
  return runCreated({ kind: 'loop', loop: { ...loopSpec, ...loop } }, limits)
}

export const post: Post<LoopRun> = postEvent

/** Plays a loop until it rests, or for so many steps: `iterations` say what each gives; the last one is repeated. `base` is the first ward. */
export function playLoop(
  change: LoopChange,
  iterations: Played[],
  options: { base?: Partial<WardOutcome>; git?: boolean; steps?: number } = {},
): LoopRecord {
  return goOn(post(null, created(change)).record, iterations, options)
}

export function goOn(
  from: LoopRecord,
  iterations: Played[],
  options: { base?: Partial<WardOutcome>; git?: boolean; steps?: number } = {},
): LoopRecord {
  const failed = new Set<string>()
  const { steps } = options
  let count = 0
  // So far, when it took so many steps: then it need not rest.
  const isFar = () => steps !== undefined && count++ >= steps
  const next = (at: LoopRecord) => {
    const { iteration } = at.state
    const played = iterations[Math.min(iteration, iterations.length) - 1] ?? iterations[0] ?? {}
    return nextAnswer(at, (key, effect) => outcomeOf(key, effect, at.state, played, options, failed))
  }
  return playFrom(from, next, { most: 5_000, isFar })
}

function outcomeOf(
  effect: string,
  asked: Effect,
  state: LoopRun,
  played: Played,
  options: { base?: Partial<WardOutcome>; git?: boolean },
  failed: Set<string>,
): RunEvent | null {
  const git = options.git ?? true
  switch (asked.do) {
    case 'open-loop':
      return {
        type: 'loop-opened',
        effect,
        base: git ? { commit: COMMIT, tree: TREE } : null,
        ledger: git ? 'aaaaaaaaaaaaaaaa' : null,
        notes: [],
      }
    case 'prepare-iteration':
      return {
        type: 'iteration-prepared',
        effect,
        iteration: asked.iteration,
        session: '33333333-3333-4333-8333-333333333333',
        prompt: text(asked.iteration + 100),
        notes: [],
      }
    case 'run-session':
      return sessionEvent(effect, state, played, failed)
    case 'end-session':
      return { type: 'session-end-delivered', effect, left: null }
    case 'close-iteration':
      return {
        type: 'iteration-closed',
        effect,
        iteration: asked.iteration,
        facts: factsOf(asked.iteration, git, played),
      }
    case 'run-ward': {
      const given = asked.iteration === 0 ? options.base : played.ward
      return { type: 'warded', effect, iteration: asked.iteration, outcome: { ...wardOf('green'), ...given } }
    }
    case 'ask-judge': {
      const judgement: Judgement = {
        verdict: 'continue',
        criteria: ['UNKNOWN'],
        report: text(60),
        costUsd: 0,
        failed: false,
      }
      return { type: 'judged', effect, iteration: asked.iteration, judgement: { ...judgement, ...played.judge } }
    }
    case 'set-timer':
      return asked.name === 'crash-wait' || asked.name === 'limit-wait' || asked.name === 'quiet'
        ? { type: 'timer-fired', effect, timer: asked.name }
        : null
    default:
      return null
  }
}

function sessionEvent(effect: string, state: LoopRun, played: Played, failed: Set<string>): RunEvent {
  const { turn } = state.session!
  if (turn.pid === null) return { type: 'session-started', effect, turn: turn.n, pid: 4711, without: [] }
  const how = played.ends ?? 'ok'
  const isOver = turn.ending !== null || turn.result !== null
  // A limit ends once; the same session then goes on. So does an outage, with another session.
  const isPassing = how === 'limit' || how === 'overloaded' || how === 'outage'
  const passes = isPassing && !played.lasts && failed.has(`${state.iteration}`)
  if (how === 'crash') {
    if (!turn.heard) return report(effect, turn.n, { kind: 'init', offset: 1, model: null })
    return { type: 'session-ended', effect, turn: turn.n, exit: { how: 'vanished' }, outputBytes: 1 }
  }
  if (!isOver) {
    const why = passes ? 'ok' : how
    if (isPassing) failed.add(`${state.iteration}`)
    const { costUsd = 0, answered = false } = played
    return report(effect, turn.n, {
      kind: 'result',
      offset: 10,
      isError: why !== 'ok',
      why,
      costUsd,
      turns: 1,
      answered,
    })
  }
  return {
    type: 'session-ended',
    effect,
    turn: turn.n,
    exit: { how: 'exited', code: how === 'ok' ? 0 : 1 },
    outputBytes: 10,
  }
}

function report(effect: string, turn: number, of: Extract<RunEvent, { type: 'session-reported' }>['report']): RunEvent {
  return { type: 'session-reported', effect, turn, report: of }
}

export function factsOf(iteration: number, git: boolean, { facts = {} }: Played): IterationFacts {
  const n = iteration.toString(16).padStart(8, '0')
  return {
    lastMessage: text(iteration),
    end: n,
    checkpoint: git ? { commit: `${n}${'0'.repeat(32)}`, tree: `${n}${'1'.repeat(32)}` } : null,
    ledger: git ? `${n}${n}` : null,
    claim: null,
    verdict: 'continue',
    because: null,
    anchorChanged: false,
    toolCalls: 1,
    costUsd: 0,
    errors: [],
    notes: [],
    ...facts,
  }
}
