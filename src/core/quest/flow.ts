import type { StepPhase } from '../../contract/quest.ts'
import type { QuestRole } from '../../contract/quest-tools.ts'

/**
 * The flow as data: who is in charge in each phase, and where an outcome leads. Machines look here, and documents and faces
 * draw it from here.
 */
export const IN_CHARGE: Partial<Record<StepPhase, QuestRole>> = {
  requirements: 'chaoswhisperer',
  plan: 'pathseeker',
  code: 'codeweaver',
  mend: 'spiritmender',
  siege: 'siegemaster',
  review: 'lawbringer',
}

export type Outcome =
  | 'complete'
  | 'approved'
  | 'refused'
  | 'green'
  | 'green-and-sieged'
  | 'green-for-a-caller'
  | 'red'
  | 'third-red'
  | 'merged'
  | 'conflict'
  | 'planned-anew'

export type Edge = { from: StepPhase; on: Outcome; to: StepPhase | 'caller' | 'steps' | 'inbox' }

export const FLOW: readonly Edge[] = [
  { from: 'requirements', on: 'complete', to: 'plan' },
  { from: 'plan', on: 'complete', to: 'approval' },
  { from: 'approval', on: 'approved', to: 'steps' },
  { from: 'approval', on: 'refused', to: 'plan' },
  { from: 'code', on: 'complete', to: 'ward' },
  { from: 'ward', on: 'green', to: 'siege' },
  { from: 'ward', on: 'green-and-sieged', to: 'merge' },
  { from: 'ward', on: 'green-for-a-caller', to: 'caller' },
  { from: 'ward', on: 'red', to: 'mend' },
  { from: 'ward', on: 'third-red', to: 'resplit' },
  { from: 'mend', on: 'complete', to: 'ward' },
  { from: 'siege', on: 'complete', to: 'merge' },
  { from: 'resplit', on: 'planned-anew', to: 'code' },
  { from: 'merge', on: 'merged', to: 'done' },
  { from: 'merge', on: 'red', to: 'mend' },
  { from: 'merge', on: 'conflict', to: 'mend' },
  { from: 'review', on: 'complete', to: 'prove' },
  { from: 'prove', on: 'green', to: 'done' },
  { from: 'prove', on: 'red', to: 'mend' },
]

export function leadsTo(from: StepPhase, on: Outcome): Edge['to'] {
  const edge = FLOW.find(one => one.from === from && one.on === on)
  if (!edge) throw new Error(`nothing follows ${on} in ${from}`)
  return edge.to
}

/** Roles that leave code behind: after them the checks have something to say. */
export const BUILDERS: ReadonlySet<string> = new Set(['codeweaver', 'spiritmender'])

/** Roles that look at what others built: when somebody built at their word, it is checked before they look again. */
export const EXAMINERS: ReadonlySet<string> = new Set(['siegemaster', 'lawbringer'])

// Beyond these a quest turns in circles, and a person sees why faster than another session.
export const MOST_PARTS = 5
export const MOST_REDS = 3
export const MOST_ROUNDS = 3
export const MOST_BOUNCES = 3
export const DEEPEST_CHAIN = 5
