import type { RunSummary } from '../../contract/run.ts'
import { type Claimed, endSentence, whyUnproven } from '../run-worth.ts'
import { type FromState, type Iso, summaryHead } from '../summary.ts'
import { costOf, type ParentState } from './parent-state.ts'

/** What every parent is to scripts and faces. Words of people and agents are beside the journal. */

type Parent = ParentState & { kind: 'pool' | 'quest' }

export function parentSummary(state: Parent, iso: Iso, steps: NonNullable<RunSummary['steps']>): RunSummary {
  return {
    ...summaryHead(state, iso),
    kind: state.kind,
    proven: state.proven,
    unproven: whyUnproven(claimedBy(state)),
    project: state.spec.project,
    steps,
    costUsd: costOf(state),
  }
}

/** `progress`: where it stands, while it neither rests nor ends. */
export function parentDetail(
  state: Parent,
  summary: RunSummary,
  progress: string,
  messagesWaiting: number,
): Omit<FromState, 'pool' | 'quest' | 'loop'> {
  const { session, driver, model } = state.spec
  return { ...summary, sentence: sentenceOf(state, progress), session, driver, model, turns: [], messagesWaiting }
}

/** The result branch, and what it began with. */
export function branchView({ id, base, tip, baseRed }: ParentState) {
  return { branch: `rehoboam/${id}`, base: base?.commit ?? null, tip, baseRed: baseRed?.length ?? null }
}

function sentenceOf(state: Parent, progress: string): string {
  if (state.cause) return endSentence({ ...claimedBy(state), cause: state.cause })
  if (state.wish) return state.kind === 'pool' ? 'its workers are being ended' : 'its sessions are being ended'
  return progress
}

function claimedBy({ status, cause, proven, loop, isTampered }: Parent): Claimed {
  return { status, cause, proven, hasChecks: loop.ward !== null, isTampered }
}
