import type { StepPhase } from './quest.ts'
import type { QuestRole } from './quest-tools.ts'

/**
 * The flow of a quest as data: who is in charge in each phase, and where an outcome leads. The machine looks here, and documents
 * and faces draw it from here.
 */
export const IN_CHARGE: Partial<Record<StepPhase, QuestRole>> = {
  requirements: 'chaoswhisperer',
  plan: 'pathseeker',
  code: 'codeweaver',
  mend: 'spiritmender',
  siege: 'siegemaster',
  review: 'lawbringer',
}

/** What a flow is about: making the plan, one step of it, or the whole when every step is in. */
export const FLOW_PARTS = ['plan', 'step', 'whole'] as const
export type FlowPart = (typeof FLOW_PARTS)[number]

export type Outcome =
  | 'complete'
  | 'complete, to be approved'
  | 'approved'
  | 'sent back'
  | 'gaps'
  | 'findings'
  | 'green'
  | 'green, sieged before'
  | 'green, somebody waits'
  | 'red'
  | 'red for the third time'
  | 'red, planned anew before'
  | 'merged'
  | 'merged, somebody waits'
  | 'conflict'
  | 'conflict again'
  | 'planned anew'

/** `caller`: the role that asked for it looks again. `inbox`: a person is asked. `steps`: they begin. */
export type FlowTarget = StepPhase | 'caller' | 'steps' | 'inbox'
export type Edge = { part: FlowPart; from: StepPhase; on: Outcome; to: FlowTarget }

export const FLOW: readonly Edge[] = [
  { part: 'plan', from: 'requirements', on: 'complete', to: 'plan' },
  { part: 'plan', from: 'plan', on: 'complete', to: 'steps' },
  { part: 'plan', from: 'plan', on: 'complete, to be approved', to: 'approval' },
  { part: 'plan', from: 'approval', on: 'approved', to: 'steps' },
  { part: 'plan', from: 'approval', on: 'sent back', to: 'plan' },

  { part: 'step', from: 'code', on: 'complete', to: 'ward' },
  { part: 'step', from: 'ward', on: 'green', to: 'siege' },
  { part: 'step', from: 'ward', on: 'green, sieged before', to: 'merge' },
  { part: 'step', from: 'ward', on: 'green, somebody waits', to: 'caller' },
  { part: 'step', from: 'ward', on: 'red', to: 'mend' },
  { part: 'step', from: 'ward', on: 'red for the third time', to: 'resplit' },
  { part: 'step', from: 'ward', on: 'red, planned anew before', to: 'inbox' },
  { part: 'step', from: 'mend', on: 'complete', to: 'ward' },
  { part: 'step', from: 'siege', on: 'complete', to: 'merge' },
  { part: 'step', from: 'siege', on: 'gaps', to: 'code' },
  { part: 'step', from: 'resplit', on: 'planned anew', to: 'code' },
  { part: 'step', from: 'merge', on: 'merged', to: 'done' },
  { part: 'step', from: 'merge', on: 'red', to: 'mend' },
  { part: 'step', from: 'merge', on: 'red for the third time', to: 'resplit' },
  { part: 'step', from: 'merge', on: 'red, planned anew before', to: 'inbox' },
  { part: 'step', from: 'merge', on: 'conflict', to: 'mend' },
  { part: 'step', from: 'merge', on: 'conflict again', to: 'inbox' },

  { part: 'whole', from: 'review', on: 'complete', to: 'prove' },
  { part: 'whole', from: 'review', on: 'findings', to: 'mend' },
  { part: 'whole', from: 'mend', on: 'complete', to: 'merge' },
  { part: 'whole', from: 'merge', on: 'merged', to: 'prove' },
  { part: 'whole', from: 'merge', on: 'merged, somebody waits', to: 'caller' },
  { part: 'whole', from: 'merge', on: 'red', to: 'mend' },
  { part: 'whole', from: 'merge', on: 'red for the third time', to: 'inbox' },
  { part: 'whole', from: 'merge', on: 'conflict', to: 'mend' },
  { part: 'whole', from: 'merge', on: 'conflict again', to: 'inbox' },
  { part: 'whole', from: 'prove', on: 'green', to: 'done' },
  { part: 'whole', from: 'prove', on: 'red', to: 'mend' },
  { part: 'whole', from: 'prove', on: 'red for the third time', to: 'inbox' },
]
