import type { ENDED_STATUSES } from '../../contract/causes.ts'
import type { Cause } from '../../contract/run.ts'

/**
 * What an active loop does. A command or a time limit that a state cannot obey at once waits as its `wish`. A state that obeys a
 * command at once has no such wish.
 */
export type Work =
  /** Makes the loop directory and finds the base. Then runs the checks on the base. */
  | { is: 'opening' | 'basing'; wish: 'pause' | 'reject' | null }
  | { is: 'preparing' | 'warding' | 'judging'; wish: 'pause' | null }
  /** Its session works. The session itself obeys a pause. The wish `pause` is left over from a pane that a person has closed. */
  | { is: 'running'; wish: RunningWish }
  /** Waits for the end of an account limit, or until it tries the model again. */
  | { is: 'waiting'; until: number; wish: 'pause' | null }
  /** Makes a checkpoint of a finished iteration. The checkpoint is finished first: half of one would be in the way of the next. */
  | { is: 'closing'; wish: RunningWish | 'cancel' }
  /** Makes a checkpoint of an iteration that was cut off, and then ends. */
  | { is: 'keeping'; ending: Ending }

export type Rest =
  /** A person types in the pane of its session. */
  | { is: 'taken-over'; wish: RunningWish }
  /**
   * `at`: what it did when it came to rest. `isUndone`: that failed because the project was missing, and a resume does it again.
   * The wish `pause` came before its question. It is obeyed after the answer.
   */
  | { is: 'resting'; at: WorkPhase; isUndone: boolean; wish: 'pause' | null }

export type Doing = Work | Rest | { is: 'ended' }

/** The status of a loop follows from what it is doing. */
export type LoopStatus =
  | { status: 'active'; cause: null; endedAt: null; doing: Work }
  | { status: 'paused' | 'blocked'; cause: Cause; endedAt: null; doing: Rest }
  | (Ending & { endedAt: number; doing: { is: 'ended' } })

export type Ending = { status: (typeof ENDED_STATUSES)[number]; cause: Cause }

type RunningWish = 'pause' | 'time' | 'reject' | null
export type Wish = RunningWish | 'cancel'

/** What a loop does, as faces are told. */
export type Phase = WorkPhase | 'ended'
type WorkPhase = Exclude<Work['is'], 'keeping'>

export function phaseOf(doing: Work | Rest): WorkPhase
export function phaseOf(doing: Doing): Phase
export function phaseOf(doing: Doing): Phase {
  switch (doing.is) {
    case 'keeping':
      return 'closing'
    case 'taken-over':
      return 'running'
    case 'resting':
      return doing.at
    default:
      return doing.is
  }
}

export function wishOf(doing: Doing): Wish {
  return 'wish' in doing ? doing.wish : null
}

export function waitsUntil({ doing }: LoopStatus): number | null {
  return doing.is === 'waiting' ? doing.until : null
}

export function working(doing: Work) {
  return { status: 'active' as const, cause: null, endedAt: null, doing }
}

export function takenOver(wish: RunningWish) {
  const doing = { is: 'taken-over' as const, wish }
  return { status: 'paused' as const, cause: 'taken-over' as const, endedAt: null, doing }
}

/** Returns the end that a wish leads to, whatever becomes of the session. */
export function wishedEnd(doing: Doing): Ending | null {
  const wish = wishOf(doing)
  if (wish === 'reject') return { status: 'cancelled', cause: 'rejected' }
  return wish === 'time' ? { status: 'over-budget', cause: 'max-time' } : null
}

/** Returns the stronger of two wishes: a loop cannot obey both. */
export function strongest<W extends Wish>(one: W, other: W): W {
  return (['cancel', 'reject', 'time', 'pause'] as const).find(wish => wish === one || wish === other) as W
}
