import { isChild } from '../../contract/ids.ts'
import type { RunStatus } from '../../contract/run.ts'
import { sessionOf } from '../../core/run/run-state.ts'
import { runDetail } from '../../core/run/run-view.ts'
import type { Run } from '../runtime/live-run.ts'
import type { Notices } from './notices.ts'

/** Where a run comes to a stop that its user did not ask for. */
const TOLD: ReadonlySet<RunStatus> = new Set(['complete', 'stalled', 'failed', 'over-budget', 'blocked', 'paused'])

// Whoever upgrades, or starts the daemon after a week, does not want to hear of last week's runs.
const NEWS_MS = 3_600_000

/** Tells of a run that has ended or waits for somebody: once for each time that it comes to a stop. */
export function tellOfRun({ record }: Run, notices: Notices, now: number): void {
  const { state, at } = record
  const { id, status, cause, spec } = state
  // A pool tells of its children by itself.
  if (isChild(id) || !TOLD.has(status) || cause === 'paused-by-user' || now - at > NEWS_MS) return
  const session = sessionOf(state)
  const { sentence, costUsd, proven } = runDetail(state, String)
  const proof = proven === null || status !== 'complete' ? '' : proven ? ', proven' : ', unproven'
  notices.tell({
    // A run that goes on has another turn when it stops again.
    id: `${id}:${session?.turn.n ?? 0}:${status}`,
    kind: status,
    title: `rehoboam: run ${id} is ${status}${proof}`,
    text: `${cause ? sentence : status} ($${costUsd.toFixed(2)}, ${spec.project})`,
    run: id,
    agent: session?.spec.session ?? null,
  })
}
