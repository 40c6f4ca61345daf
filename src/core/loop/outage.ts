import type { Decision } from '../machine.ts'
import { LOST_MODEL_NOTE } from '../notes.ts'
import { wishOf, working } from './doing.ts'
import { block, endKept, goOn, isOverBudget, prepare } from './loop-moves.ts'
import type { LoopRun } from './loop-state.ts'

/** The model is not there: no fault of the agent's, and no iteration. The loop tries again by itself, and asks in the end. */

// Most outages are over in minutes, and a try costs no more than the start of a client: soon at first, then ever more rarely.
const WAITS_MS = [10_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000]
// Too short: somebody is asked about what mends itself. Too long: a wrong address is found out in the morning (worse).
const ASK_AFTER_MS = 3_600_000

// A model that answers first and is lost in every session costs money each time, and nothing else would ever end that. Too
// few: a bad line makes several iterations of one (cheap).
const MOST_LOSSES = 5

/** Its session was left by the model, and no other has been started since. */
export function isAway({ session }: LoopRun): boolean {
  return session?.status === 'failed' && (session.cause === 'outage' || session.cause === 'overloaded')
}

export function waitForModel(state: LoopRun, at: number): Decision<LoopRun> {
  if (isOverBudget(state)) return endKept(state, at, 'over-budget', 'max-cost')
  if (wishOf(state.doing) !== null) return goOn(state, at)
  const { cause, turn } = state.session!
  // Whoever was answered in between has seen the end of the outage before.
  const { since, waits } = (turn.result?.answered ? null : state.outage) ?? { since: at, waits: 0 }
  const losses = lossesOf(state)
  if (at - since >= ASK_AFTER_MS) return block({ ...state, outage: null }, cause ?? 'outage', at)
  const atMs = at + WAITS_MS[Math.min(waits, WAITS_MS.length - 1)]!
  return {
    state: {
      ...state,
      ...working({ is: 'waiting', until: atMs, wish: null }),
      outage: { since, waits: waits + 1, losses },
    },
    effects: [{ do: 'set-timer', name: 'limit-wait', atMs }],
  }
}

/** It was answered and lost so often in this iteration that it counts as one, with all that ends a loop. */
export function isLostAgain(state: LoopRun): boolean {
  return lossesOf(state) >= MOST_LOSSES
}

function lossesOf({ outage, session }: LoopRun): number {
  return (outage?.losses ?? 0) + Number(session?.turn.result?.answered ?? false)
}

/** With a fresh session: what stands in the way may be in the old one. */
export function tryAgain(state: LoopRun): Decision<LoopRun> {
  return prepare(state, state.iteration, { note: LOST_MODEL_NOTE })
}
