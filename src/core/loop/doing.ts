import type { ENDED_STATUSES } from '../../contract/causes.ts'
import type { Cause } from '../../contract/run.ts'

/**
 * What a loop is doing. A command that cannot be carried out at once waits as its `wish`, and stands only where that can be:
 * elsewhere it is obeyed on the spot.
 */
export type Work =
  /** Its directory is made and its base is found; then the checks run on the base. Both are short and are finished first. */
  | { is: 'opening' | 'basing'; wish: 'pause' | 'reject' | null }
  | { is: 'preparing' | 'warding' | 'judging'; wish: 'pause' | null }
  /** Its session works. A session is paused and cancelled by itself; `pause`: what a person left in its pane is still to be judged. */
  | { is: 'running'; wish: RunningWish }
  /** A limit of the account ends then, or the model is tried again. */
  | { is: 'waiting'; until: number; wish: 'pause' | null }
  /** Its session has finished, and what the iteration left is looked at. A checkpoint is finished first: half of one would be in the way. */
  | { is: 'closing'; wish: RunningWish | 'cancel' }
  /** It ends as soon as what its last session left is kept. */
  | { is: 'keeping'; ending: Ending }

export type Rest =
  /** A person types in the pane of its session. */
  | { is: 'taken-over'; wish: RunningWish }
  /** `at`: where it came to rest. `isUndone`: what it was doing there came to nothing, and is done when it is resumed. */
  | { is: 'resting'; at: WorkPhase; isUndone: boolean }

export type Doing = Work | Rest | { is: 'ended' }

/** How a loop stands: what faces read of it follows from what it is doing. */
export type LoopStatus =
  | { status: 'active'; cause: null; endedAt: null; doing: Work }
  | { status: 'paused' | 'blocked'; cause: Cause; endedAt: null; doing: Rest }
  | (Ending & { endedAt: number; doing: { is: 'ended' } })

export type Ending = { status: (typeof ENDED_STATUSES)[number]; cause: Cause }

type RunningWish = 'pause' | 'time' | 'reject' | null
export type Wish = RunningWish | 'cancel'

/** What faces are told that it does. */
export type Phase = WorkPhase | 'ended'
export type WorkPhase = Exclude<Work['is'], 'keeping'>

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

/** The end that was asked for in the middle of an iteration, whatever becomes of its session. */
export function wishedEnd(doing: Doing): Ending | null {
  const wish = wishOf(doing)
  if (wish === 'reject') return { status: 'cancelled', cause: 'rejected' }
  return wish === 'time' ? { status: 'over-budget', cause: 'max-time' } : null
}

/** The stronger of two wishes that cannot both be done. */
export function strongest<W extends Wish>(one: W, other: W): W {
  return (['cancel', 'reject', 'time', 'pause'] as const).find(wish => wish === one || wish === other) as W
}
