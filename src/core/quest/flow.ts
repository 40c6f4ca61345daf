import type { StepPhase } from '../../contract/quest.ts'
import { FLOW, type FlowPart, type FlowTarget, IN_CHARGE, type Outcome } from '../../contract/quest-flow.ts'

export { IN_CHARGE }

/** Where an outcome leads. */
export function leadsTo(part: FlowPart, from: StepPhase, on: Outcome): FlowTarget {
  const edge = FLOW.find(one => one.part === part && one.from === from && one.on === on)
  if (!edge) throw new Error(`nothing follows "${on}" in ${from} (${part})`)
  return edge.to
}

/** Whether something follows in this phase when its role is done. */
export function isInFlow(part: FlowPart, from: StepPhase): boolean {
  return FLOW.some(one => one.part === part && one.from === from && one.on === 'complete')
}

/** The phase that a role is in charge of. */
export function phaseOf(role: string): StepPhase | null {
  const [phase] = Object.entries(IN_CHARGE).find(([, name]) => name === role) ?? []
  return (phase as StepPhase | undefined) ?? null
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
