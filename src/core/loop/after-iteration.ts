import type { IterationFacts, Judgement, WardOutcome } from '../../contract/loop.ts'
import type { Cause } from '../../contract/run.ts'
import { errorsWith, redErrors } from '../counted-errors.ts'
import type { Decision } from '../machine.ts'
import { working } from './doing.ts'
import { block, end, goOn, isOverBudget, pauseWish } from './loop-moves.ts'
import { ITERATIONS_KEPT, type Iteration, type LoopRun, notesWith } from './loop-state.ts'
import { ledgerOf } from './progress-ledger.ts'

/**
 * What follows an iteration, in the order of the spec: breakers before the claim, the claim with its proof, the
 * breakers after it, the judge. The first that has something to say decides.
 */

const ANCHOR_CHANGES = 3
const SAME_ENDS = 5
const REFUSED_CLAIMS = 3
const SAME_ERRORS = 10
const JUDGE_EVERY = 5

export function afterIteration(before: LoopRun, facts: IterationFacts, at: number): Decision<LoopRun> {
  const { doing } = before
  const state = counted(before, facts)
  // It was cut off: what it was to mend is there still, for whoever goes on.
  if (doing.is === 'keeping')
    return end({ ...state, failures: before.failures }, at, doing.ending.status, doing.ending.cause)
  if (doing.is !== 'closing') return { state: before }
  const { wish } = doing
  if (wish === 'cancel') return end(state, at, 'cancelled', 'cancelled')
  if (wish === 'reject') return end(state, at, 'cancelled', 'rejected')
  if (state.anchorChanges >= ANCHOR_CHANGES) return end(state, at, 'stalled', 'anchor-changed')
  if (isOverBudget(state)) return end(state, at, 'over-budget', 'max-cost')
  if (wish === 'time') return end(state, at, 'over-budget', 'max-time')
  if (facts.claim) return claimed(state, facts.claim, at)
  return stalledBy(state, at) ?? judge(state, at)
}

/** A claim is checked with the ward; where there is none, the model judge or nobody can say more. */
function claimed(before: LoopRun, claim: NonNullable<Iteration['claim']>, at: number): Decision<LoopRun> {
  const state = withIteration(before, { claim })
  const { checkpoint } = current(state).facts!
  const { commit = null, tree = null } = checkpoint ?? {}
  if (!state.loop.ward) return proofless(state, at)
  return {
    state: { ...state, ...working({ is: 'warding', wish: pauseWish(state) }) },
    effects: [{ do: 'run-ward', iteration: state.iteration, commit, tree }],
  }
}

function proofless(state: LoopRun, at: number): Decision<LoopRun> {
  return state.loop.judge === 'model' ? askJudge(state) : complete(state, at, false)
}

export function afterWard(before: LoopRun, outcome: WardOutcome, at: number): Decision<LoopRun> {
  const said = outcome.tampered && outcome.report ? [outcome.report] : []
  const state = withIteration({ ...before, notes: notesWith(before, said) }, { ward: outcome.result })
  if (outcome.result === 'could-not-run') return block(state, 'ward-could-not-run', at)
  if (outcome.result === 'green') {
    const isJudged = current(state).verdict === 'complete'
    return state.loop.judge === 'model' && !isJudged ? askJudge(state) : complete(state, at, isProof(state, outcome))
  }
  const baseRed = state.baseRed ?? []
  const onlyOld = outcome.failing.length > 0 && outcome.failing.every(check => baseRed.includes(check))
  const isUnchanged = onlyOld && outcome.failing.length === baseRed.length
  if (onlyOld && (!isUnchanged || state.loop.acceptRedBase))
    return end({ ...state, proven: false }, at, 'complete', 'base-still-red')
  return refused(state, at, outcome, isUnchanged)
}

function refused(before: LoopRun, at: number, outcome: WardOutcome, byBase: boolean): Decision<LoopRun> {
  const claims = before.refused.claims + 1
  const allByBase = before.refused.allByBase && byBase
  const errors = errorsWith(before.errors, redErrors(outcome.failing, before.baseRed))
  const state: LoopRun = { ...before, refused: { claims, allByBase }, failures: outcome.report, errors }
  if (claims >= REFUSED_CLAIMS) return end(state, at, 'stalled', allByBase ? 'red-base' : 'refused-claims')
  return stalledBy(state, at) ?? goOn(withIteration(state, { verdict: 'continue' }), at)
}

function judge(state: LoopRun, at: number): Decision<LoopRun> {
  const { facts } = current(state)
  const sinceArmed = state.iteration - state.armedAt
  if (state.loop.judge === 'off') return goOn(withIteration(state, { verdict: 'continue' }), at)
  if (state.loop.judge === 'model') {
    // Its answer to a claim counts, and a look now and then; asking each time would cost as much as the work.
    return facts!.verdict === 'complete' || sinceArmed % JUDGE_EVERY === 0
      ? askJudge(state)
      : goOn(withIteration(state, { verdict: 'continue' }), at)
  }
  const judged = withIteration(state, { verdict: facts!.verdict, because: facts!.because })
  switch (facts!.verdict) {
    case 'complete':
      return claimed(judged, 'judge', at)
    case 'stalled':
      return end(judged, at, 'stalled', 'judged-stalled')
    case 'blocked':
      return block(judged, 'waits-for-person', at)
    case 'continue':
      return goOn(judged, at)
  }
}

function askJudge(state: LoopRun): Decision<LoopRun> {
  const commit = current(state).facts?.checkpoint?.commit ?? null
  const ward = state.lastWard?.report ?? null
  return {
    state: { ...state, ...working({ is: 'judging', wish: pauseWish(state) }) },
    effects: [{ do: 'ask-judge', iteration: state.iteration, commit, ward }],
  }
}

export function afterJudge(before: LoopRun, judgement: Judgement, at: number): Decision<LoopRun> {
  const { verdict, criteria, report, costUsd, failed } = judgement
  const paid = withIteration(before, { verdict, because: report, costUsd: current(before).costUsd + costUsd })
  const state: LoopRun = {
    ...paid,
    costUsd: paid.costUsd + costUsd,
    criteria: paid.criteria.map((mark, n) => criteria[n] ?? mark),
  }
  const { claim, ward } = current(state)
  if (isOverBudget(state)) return end(state, at, 'over-budget', 'max-cost')
  const isMet = !criteria.includes('FAIL')
  // A judge that failed says nothing against a claim, and proves nothing either.
  if (claim && (failed || (verdict === 'complete' && isMet))) {
    if (state.loop.ward && ward === null) return claimed(state, claim, at)
    const isProven = ward === 'green' ? isProof(state, state.lastWard!) : !failed && !criteria.includes('UNKNOWN')
    return failed && ward !== 'green' ? goOn(state, at) : complete(state, at, isProven)
  }
  if (claim) return refusedByJudge(state, at, report)
  if (verdict === 'stalled') return end(state, at, 'stalled', 'judged-stalled')
  if (verdict === 'blocked') return block(state, 'waits-for-person', at)
  if (verdict === 'complete' && isMet && !failed) return claimed(state, 'judge', at)
  return goOn(state, at)
}

function refusedByJudge(before: LoopRun, at: number, report: string | null): Decision<LoopRun> {
  const claims = before.refused.claims + 1
  const state: LoopRun = { ...before, refused: { claims, allByBase: false }, failures: report }
  if (claims >= REFUSED_CLAIMS) return end(state, at, 'stalled', 'refused-claims')
  return stalledBy(state, at) ?? goOn(state, at)
}

/** The breakers that come after a claim. */
function stalledBy(state: LoopRun, at: number): Decision<LoopRun> | null {
  const { loop, iteration, armedAt, sameEnd, ledger, errors } = state
  const stalled = (cause: Cause) => end(state, at, 'stalled', cause)
  if (iteration - armedAt >= loop.maxIterations) return stalled('max-iterations')
  if (sameEnd.times >= SAME_ENDS && (ledger.seen === null || ledger.unmovedFor >= SAME_ENDS - 1))
    return stalled('same-end')
  if (ledger.unmovedFor >= loop.stallAfter) return stalled('ledger-unmoved')
  if (errors.some(([, times]) => times > SAME_ERRORS)) return end(state, at, 'failed', 'same-error')
  return null
}

function complete(state: LoopRun, at: number, proven: boolean): Decision<LoopRun> {
  const { claim } = current(state)
  return end(
    { ...state, proven, failures: null },
    at,
    'complete',
    claim === 'judge' || claim === null ? 'judged' : claim,
  )
}

/** Green is proof only of what was there to be checked: in place without git, or with checks that were changed, it is none. */
function isProof(state: LoopRun, ward: WardOutcome): boolean {
  return ward.result === 'green' && !ward.tampered && current(state).facts?.checkpoint != null
}

/** The iteration counts: what it moved, how it ended, what went wrong in it. */
function counted(before: LoopRun, facts: IterationFacts): LoopRun {
  const seen = ledgerOf(facts.ledger, before)
  const moved = seen === null ? null : seen !== before.ledger.seen
  const isSame = facts.end !== null && facts.end === before.sameEnd.end
  const state: LoopRun = {
    ...before,
    costUsd: before.costUsd + facts.costUsd,
    ledger: { tree: facts.ledger, seen, unmovedFor: moved === false ? before.ledger.unmovedFor + 1 : 0 },
    sameEnd: { end: facts.end, times: isSame ? before.sameEnd.times + 1 : 1 },
    anchorChanges: before.anchorChanges + (facts.anchorChanged ? 1 : 0),
    errors: errorsWith(before.errors, facts.errors),
    failures: null,
    notes: notesWith(before, facts.notes),
    iterations: before.iterations.slice(-ITERATIONS_KEPT),
  }
  return withIteration(state, { facts, moved, costUsd: current(state).costUsd + facts.costUsd })
}

function current(state: LoopRun): Iteration {
  return state.iterations.at(-1)!
}

function withIteration(state: LoopRun, change: Partial<Iteration>): LoopRun {
  return { ...state, iterations: [...state.iterations.slice(0, -1), { ...current(state), ...change }] }
}
