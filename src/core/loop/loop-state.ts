import type { KeptEnvironment, SessionSpec } from '../../contract/event.ts'
import type { TextRef } from '../../contract/ids.ts'
import type { IterationFacts, LoopSpec, Mark, Verdict, WardOutcome } from '../../contract/loop.ts'
import type { CountedErrors } from '../counted-errors.ts'
import type { SessionRun } from '../session/session-state.ts'
import type { TimeLimit } from '../time-limit.ts'
import type { LoopStatus } from './doing.ts'

/** A run of kind loop: fresh sessions on one anchor, until a verdict or a breaker ends it. */
export type LoopRun = LoopFacts & LoopStatus

/** What a loop knows, whatever it is doing. */
type LoopFacts = {
  kind: 'loop'
  id: string
  request: string
  createdAt: number
  /** What every session of it is started with, but for the session id. */
  spec: SessionSpec
  timeLimit: TimeLimit | null
  loop: LoopSpec
  /** The anchor. */
  prompt: TextRef
  environment: KeptEnvironment
  /** Its directory is made and its base is known. */
  isOpen: boolean
  /** The one that runs now or ran last; 0 before the first. */
  iteration: number
  /** The iteration after which it was started or resumed: limits count from here. */
  armedAt: number
  /** The session of this iteration, or of the last one. */
  session: SessionRun | null
  /** The newest iterations. Earlier ones are only in the journal: state must not grow with a run's age. */
  iterations: Iteration[]
  base: { commit: string; tree: string } | null
  /** Checks that were red before it began; null: not warded yet, or no ward. */
  baseRed: string[] | null
  lastWard: (WardOutcome & { iteration: number }) | null
  criteria: Mark[]
  /** What of the ledger is known, and for how many iterations it has stood still. */
  ledger: { tree: string | null; seen: string | null; unmovedFor: number }
  /** How often in a row the last words were the same. */
  sameEnd: { end: string | null; times: number }
  refused: { claims: number; allByBase: boolean }
  anchorChanges: number
  /** How often each error came, by key; the oldest leave first. */
  errors: CountedErrors
  /** Fresh sessions of this iteration after a session that was cut off again and again. */
  freshStarts: number
  limitWaits: number
  /**
   * Since when the model has not been there, how often that was waited for, and how often in this iteration it had answered
   * before; null: it was there, last time.
   */
  outage: { since: number; waits: number; losses: number } | null
  costUsd: number
  /** What of it was paid before it was last armed: a limit counts from there. */
  paidBeforeUsd: number
  /** What people said and no prompt has held yet. */
  waiting: TextRef[]
  /** What people said for this iteration: should it need another session, that one has not heard it. */
  given: TextRef[]
  failures: TextRef | null
  proven: boolean | null
  /** How often it has come to wait for a person. */
  blocks: number
  /** Somebody has looked at checks that were changed. */
  changesSeen: boolean
  notes: TextRef[]
  repairs: number
  /** The effect of its pool that sent it on last. */
  resumedBy: string | null
}

/** What the end of an iteration has shown so far. */
export type Iteration = {
  n: number
  session: string
  firstTurn: number
  lastTurn: number
  startedAt: number
  endedAt: number | null
  outcome: 'running' | 'finished' | 'error' | 'cut-off'
  facts: IterationFacts | null
  claim: 'stop-word' | 'promise' | 'judge' | null
  ward: WardOutcome['result'] | null
  verdict: Verdict | null
  because: TextRef | null
  moved: boolean | null
  costUsd: number
  markedWrong: TextRef | null
}

/** How many ended iterations stay in the state; all of them stay in the journal. */
export const ITERATIONS_KEPT = 100
const NOTES_KEPT = 20

/** Somebody or something has decided what follows it: a judge, its claim, or a breaker. */
export function isDecided({ iterations, iteration, doing }: LoopRun, n: number): boolean {
  const found = iterations.find(one => one.n === n)
  if (!found?.facts) return false
  const isLooking = n === iteration && (doing.is === 'warding' || doing.is === 'judging')
  return found.verdict !== null || !isLooking
}

/** What people should know, each once. */
export function notesWith({ notes }: LoopRun, more: TextRef[]): TextRef[] {
  return [...notes, ...more.filter(note => !notes.includes(note))].slice(-NOTES_KEPT)
}
