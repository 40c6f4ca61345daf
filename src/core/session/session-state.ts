import type { Exit, KeptEnvironment, SessionReport, SessionSpec } from '../../contract/event.ts'
import type { TextRef } from '../../contract/ids.ts'
import type { Cause, RunStatus } from '../../contract/run.ts'
import type { Label } from '../prompt.ts'
import type { TimeLimit } from '../time-limit.ts'

/** A run of kind session: one session of the client, in as many turns (process starts) as it takes. */
export type SessionRun = {
  kind: 'session'
  id: string
  label: Label
  /** The number of its first turn: in a loop they are counted over all iterations. */
  firstTurn: number
  /** The caller's own id for its request: the same one again is the same run. */
  request: string
  status: RunStatus
  cause: Cause | null
  createdAt: number
  endedAt: number | null
  spec: SessionSpec
  prompt: TextRef
  environment: KeptEnvironment
  model: string | null
  /** Messages from people that no turn has been given yet. */
  waiting: TextRef[]
  /**
   * Messages that earlier turns were given while no turn has got an answer. The client may have been killed before it wrote
   * them down: a session that begins again is given them again. Null once a turn has got an answer.
   */
  unanswered: TextRef[] | null
  timeLimit: TimeLimit | null
  /** The turn that runs now or ran last. Earlier ones are only counted: state must not grow with a run's age. */
  turn: Turn
  earlier: TurnSummary[]
  /** Cut off in a row, without a result in between. */
  crashes: number
  /** Stuck in a row, without a result in between. */
  stuck: number
  costUsd: number
  /** What its loop has taken over of that. */
  paidUsd: number
  /** When the account's limit is over, as far as the client said. */
  limitResetsAt: number | null
  /** Names that were missing when a turn could not start. */
  missing: string[]
  /** Names that the newest turn was started without. */
  without: string[]
  repairs: number
  /** The effect of its quest that sent it on last: the same one again has been heard already. */
  resumedBy: string | null
}

export type Turn = {
  n: number
  state: 'starting' | 'running' | 'ended'
  effect: string
  pid: number | null
  startedAt: number | null
  endedAt: number | null
  /** The client has spoken: a transcript exists or will in a moment. */
  heard: boolean
  /** Bytes of output whose meaning is in the journal already. */
  reportedTo: number
  outputBytes: number | null
  result: { isError: boolean; why: ResultWhy; costUsd: number; offset: number; answered?: boolean } | null
  /** What it cost, once it has ended. */
  costUsd?: number
  /** Messages that it was started with: they wait again when it never came to hear them. */
  given: TextRef[]
  /** Why we end it, when we do: the first reason wins. */
  ending: 'cancel' | 'pause' | 'time' | 'background' | 'finished' | 'question' | 'takeover' | 'stuck' | null
  /** What it asked, when that is why it was ended. */
  asked?: TextRef
  /** It has told its quest what it had to tell: however it ends now, that is a good end. */
  signalled?: boolean
  /** In a pane: its turn has ended as far as hooks say, with so many background tasks. */
  stopped: { running: number } | null
  /** A person types there: it is theirs until somebody resumes the run. */
  takenOver: boolean
  /** When it was last given back to us. */
  ownSince: number
  exit: Exit | null
}

export type ResultWhy = Extract<SessionReport, { kind: 'result' }>['why']

export type TurnSummary = Pick<Turn, 'n' | 'startedAt' | 'endedAt' | 'exit' | 'pid' | 'outputBytes'> & {
  costUsd: number
}

/** How many ended turns stay in the state; all of them stay in the journal. */
export const EARLIER_KEPT = 50

/** How many messages may wait for a turn; `tell` refuses more. Nobody reads a hundred, and state must stay small. */
export const WAITING_KEPT = 100

/** How many messages of turns without an answer are kept. A session is rarely killed before it has answered anything. */
export const UNANSWERED_KEPT = 20
