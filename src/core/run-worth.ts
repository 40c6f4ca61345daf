import type { WardOutcome } from '../contract/loop.ts'
import { CAUSES, type Cause, type RunStatus } from '../contract/run.ts'
import { UNPROVEN, type Unproven } from '../contract/worth.ts'

/** What is known about a run's end when it says that it is done. */
export type Claimed = {
  status: RunStatus
  cause: Cause | null
  proven: boolean | null
  hasChecks: boolean
  isTampered: boolean
  /** What of its checks was changed, as far as it was noted. */
  tampering?: WardOutcome['tampering']
}

/** Null: it is proven, or does not say that it is done. */
export function whyUnproven({ status, cause, proven, hasChecks, isTampered }: Claimed): Unproven | null {
  if (status !== 'complete' || proven !== false) return null
  if (cause === 'base-still-red') return 'old-reds'
  if (isTampered) return 'checks-changed'
  return hasChecks ? 'no-git' : 'no-checks'
}

const CHANGES: Record<WardOutcome['tampering'][number], string> = {
  definition: 'what they run or how',
  deleted: 'tests are gone',
  skipped: 'tests are left out',
}

/** Why it ended, with what that is worth. What is not proven says so first: it is what a person has to know. */
export function endSentence(claimed: Claimed & { cause: Cause }): string {
  const sentence = CAUSES[claimed.cause]
  const why = whyUnproven(claimed)
  if (why === 'old-reds') return sentence
  if (why !== null) {
    const how = claimed.tampering?.length ? ` (${claimed.tampering.map(one => CHANGES[one]).join(', ')})` : ''
    return `${UNPROVEN[why]}${why === 'checks-changed' ? how : ''}; ${sentence}`
  }
  if (claimed.status !== 'complete' || claimed.proven !== true) return sentence
  return `${sentence}, and ${claimed.hasChecks ? 'the checks are green' : 'every criterion is met'}`
}
