import { shareFiles } from '../parent/files-named.ts'
import { liveOf } from '../parent/parent-state.ts'
import { OVER, type QuestRun, type Work } from './quest-state.ts'

/** Who works next. Decided from the state alone. */

/** The lowest slot that nobody holds, or the one that is wished for; null: all are taken. */
export function freeSlot(state: QuestRun, wished: number | null = null): number | null {
  const taken = new Set(liveOf(state).map(({ slot }) => slot))
  if (wished !== null && !taken.has(wished)) return wished
  for (let slot = 1; slot <= state.quest.slots; slot++) if (!taken.has(slot)) return slot
  return null
}

/** What a free slot takes: errands first, because others wait for them; then the longest chain, then the plan's order. */
export function startable(state: QuestRun): Work | null {
  const errand = state.errands.find(work => work.state === 'ready' && (work.id !== 'review' || isAllIn(state)))
  if (errand) return errand
  const begun = state.steps.filter(isBegun)
  let best: Work | null = null
  const complete = new Set<string>()
  for (const { id, state: is } of state.steps) if (is === 'complete') complete.add(id)
  for (const work of state.steps) {
    if (best && work.rank <= best.rank) continue
    if (isReady(state, work, complete) && !isHeldUp(state, work, begun)) best = work
  }
  return best
}

/** Every step is in, or will never be. */
export function isAllIn({ steps }: QuestRun): boolean {
  return steps.every(({ state }) => OVER.has(state))
}

function isReady({ phase }: QuestRun, work: Work, complete: Set<string>): boolean {
  if (work.state === 'ready') return true
  const isTime = phase === 'working' || phase === 'reviewing'
  return isTime && work.state === 'pending' && work.dependsOn.every(id => complete.has(id))
}

/** It has a branch with something on it that is not merged yet. */
function isBegun({ state }: Work): boolean {
  return state !== 'pending' && !OVER.has(state)
}

/**
 * Beside a step that names the same files nothing starts. Of two that have begun both, which only a new plan can bring
 * about, the first in the plan goes on: each waiting for the other would be for ever.
 */
function isHeldUp({ steps }: QuestRun, work: Work, begun: Work[]): boolean {
  if (work.files.length === 0) return false
  return begun.some(other => {
    if (other === work || !shareFiles(work.files, other.files)) return false
    return other.state !== 'ready' || work.state === 'pending' || steps.indexOf(other) < steps.indexOf(work)
  })
}

/** Steps whose files a step waits for. */
export function heldUpBy({ steps }: QuestRun, work: Work): string[] {
  if (work.state !== 'pending' && work.state !== 'ready') return []
  return steps
    .filter(other => other !== work && isBegun(other) && shareFiles(work.files, other.files))
    .map(({ id }) => id)
}
