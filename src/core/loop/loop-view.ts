import type { IterationView, LoopView } from '../../contract/loop.ts'
import { CAUSES, type Cause, type RunSummary } from '../../contract/run.ts'
import { type Claimed, endSentence, whyUnproven } from '../run-worth.ts'
import { costOf, turnViews } from '../session/session-view.ts'
import { type FromState, type Iso, roundedUsd, summaryHead } from '../summary.ts'
import { type Phase, phaseOf, waitsUntil } from './doing.ts'
import type { Iteration, LoopRun } from './loop-state.ts'
import { isAway } from './outage.ts'

export function loopSummary(state: LoopRun, iso: Iso): RunSummary {
  const waiting = waitsUntil(state)
  return {
    ...summaryHead(state, iso),
    kind: 'loop',
    proven: state.proven,
    unproven: whyUnproven(claimedBy(state)),
    project: state.loop.worktree?.project ?? state.spec.project,
    iteration: state.iteration,
    maxIterations: state.armedAt + state.loop.maxIterations,
    waitsUntil: waiting === null ? null : iso(waiting),
    costUsd: roundedUsd(state.costUsd + (state.session ? costOf(state.session) : 0)),
  }
}

export function loopDetail(state: LoopRun, iso: Iso): FromState {
  return {
    ...loopSummary(state, iso),
    sentence: loopSentence(state, iso),
    session: state.session?.spec.session ?? state.spec.session,
    driver: state.spec.driver,
    model: state.session?.model ?? state.spec.model,
    turns: state.session ? turnViews(state.session, iso) : [],
    messagesWaiting: state.waiting.length,
    loop: loopView(state, iso),
  }
}

function loopView(state: LoopRun, iso: Iso): LoopView {
  const { loop } = state
  const waiting = waitsUntil(state)
  const last = state.iterations.findLast(({ facts }) => facts?.checkpoint)?.facts?.checkpoint
  return {
    directory: loop.directory,
    role: loop.role,
    phase: phaseOf(state.doing),
    stopWord: loop.stopWord,
    stallAfter: loop.stallAfter,
    judge: loop.judge,
    maxCostUsd: state.spec.maxCostUsd,
    unmovedFor: state.ledger.unmovedFor,
    refusedClaims: state.refused.claims,
    baseRed: state.baseRed?.length ?? null,
    checks: state.lastWard && { iteration: state.lastWard.iteration, result: state.lastWard.result, names: null },
    criteria: state.criteria,
    base: state.base?.commit ?? null,
    branch: loop.worktree ? `rehoboam/${state.id}` : null,
    changed: last != null && last.tree !== state.base?.tree,
    waitsUntil: waiting === null ? null : iso(waiting),
    iterations: state.iterations.map(iteration => iterationView(iteration, iso)),
  }
}

function iterationView(iteration: Iteration, iso: Iso): IterationView {
  const { facts, endedAt } = iteration
  return {
    iteration: iteration.n,
    session: iteration.session,
    state: facts || iteration.outcome === 'cut-off' ? 'ended' : endedAt === null ? 'running' : 'closing',
    startedAt: iso(iteration.startedAt),
    endedAt: endedAt === null ? null : iso(endedAt),
    outcome: iteration.outcome,
    verdict: iteration.verdict,
    claim: iteration.claim,
    ward: iteration.ward,
    moved: iteration.moved,
    toolCalls: facts?.toolCalls ?? 0,
    costUsd: roundedUsd(iteration.costUsd),
    checkpoint: facts?.checkpoint?.commit ?? null,
    markedWrong: iteration.markedWrong !== null,
    why: null,
  }
}

const PHASES: Record<Phase, string> = {
  opening: 'its directory is being made',
  basing: 'the checks run on what was there before it',
  preparing: 'the next iteration is being prepared',
  running: 'works',
  closing: 'looks at what the iteration left',
  warding: 'a claim is being checked',
  judging: 'the judge is being asked',
  waiting: 'waits for a limit of the account to end',
  ended: 'has ended',
}

/** Why it stands where it stands, with what a claim is worth. */
export function loopEndSentence(state: LoopRun, cause: Cause): string {
  return endSentence({ ...claimedBy(state), cause })
}

function claimedBy({ status, cause, proven, loop, lastWard, iteration }: LoopRun): Claimed {
  const ward = lastWard?.iteration === iteration ? lastWard : null
  const { tampered: isTampered = false, tampering = [] } = ward ?? {}
  return { status, cause, proven, hasChecks: loop.ward !== null, isTampered, tampering }
}

/** Where it stands and why, for a person. */
function loopSentence(state: LoopRun, iso: Iso): string {
  const { cause, session, doing } = state
  const names = session?.missing.join(', ')
  if (cause && names && (cause === 'needs-environment' || cause === 'client-missing'))
    return `${CAUSES[cause]}: ${names}`
  if (cause) return loopEndSentence(state, cause)
  if (doing.is === 'waiting') {
    const until = iso(doing.until)
    return isAway(state) ? `${CAUSES[session!.cause!]}; tries again at ${until}` : `${PHASES.waiting}, until ${until}`
  }
  if (doing.is === 'running') return `iteration ${state.iteration} works`
  return PHASES[phaseOf(doing)]
}
