import { ENDED } from '../../contract/run.ts'
import { DEEPEST_CHAIN } from './flow.ts'
import {
  builds,
  followUpRoles,
  type QuestRun,
  type QuestSession,
  roleNamed,
  type Signal,
  sessionNumbered,
  type Work,
  workOf,
} from './quest-state.ts'

/** What a session said, before it is known whether it may. */
export type Said = Signal & { stepId: string }

/** `again`: it has been heard already, and counts once. */
export type Hearing = { is: 'new' } | { is: 'again' } | { is: 'refused'; why: string }

/**
 * Whether a signal is taken. A refusal is read by the model that sent it, in the same turn: it says what is wrong and what to
 * send instead.
 */
export function hear(state: QuestRun, n: number, said: Said): Hearing {
  const session = sessionNumbered(state, n)
  const work = session && workOf(state, session.step)
  if (!session || !work) return refused('this session is not one of a quest')
  if (isSame(session, said)) return { is: 'again' }
  const why = objection(state, session, work, said)
  return why === null ? { is: 'new' } : refused(why)
}

function refused(why: string): Hearing {
  return { is: 'refused', why }
}

function isSame({ signal: before }: QuestSession, said: Said): boolean {
  return before !== null && before.signal === said.signal && before.text === said.text
}

function objection(state: QuestRun, session: QuestSession, work: Work, said: Said): string | null {
  return (
    atAnEnd(state, session, work) ??
    ofAnotherStep(session, said) ??
    ofThisRole(state, session, said) ??
    notYet(state, session, work, said) ??
    (said.signal === 'needs-role-followup' ? ofThisTarget(state, session, work, said.target) : null)
  )
}

function atAnEnd(state: QuestRun, session: QuestSession, work: Work): string | null {
  if (ENDED.has(state.status))
    return `the quest has ended (${state.status}); nothing is heard from its sessions any more`
  if (session.signal)
    return `you have signalled ${session.signal.signal} already, and a session signals once; end your turn now`
  if (!session.isLive || work.session !== session.n)
    return 'your session has ended, and nothing is heard from it any more; end your turn now'
  // A plan that leaves its own step out is still to be signalled.
  if (work.state !== 'working' && work.state !== 'dropped')
    return `${work.id} is ${work.state} now, and nothing is to be done about it any more; end your turn now`
  return null
}

function ofAnotherStep({ step }: QuestSession, { stepId }: Said): string | null {
  return stepId === step ? null : `you work on ${step}, not on ${stepId}; signal with stepId "${step}"`
}

function ofThisRole(state: QuestRun, { role }: QuestSession, { signal }: Said): string | null {
  const may = roleNamed(state, role)?.maySignal ?? []
  return may.includes(signal) ? null : `a ${role} may not signal ${signal}; it may signal ${may.join(', ')}`
}

/** What has to be there before a role can be done. */
function notYet(state: QuestRun, { role }: QuestSession, work: Work, { signal }: Said): string | null {
  if (signal !== 'complete' || work.chain.length > 0) return null
  if (role === 'chaoswhisperer' && state.requirements === null)
    return 'there are no requirements yet; call set-requirements first, then signal complete'
  const isPlanned = state.steps.some(step => step.state !== 'dropped')
  if (role === 'pathseeker' && !isPlanned) return 'there are no steps yet; call set-steps first, then signal complete'
  return null
}

function ofThisTarget(state: QuestRun, { role }: QuestSession, work: Work, target: string | null): string | null {
  if (target === role)
    return `you are a ${role} yourself; go on, or signal partially-complete, and a fresh session of your role goes on`
  const known = followUpRoles(state, role)
  if (target === null || !known.includes(target))
    return `there is no role "${target}" that could follow up; there are ${known.join(', ')}`
  if (work.id === 'plan' && (builds(state, target) || target === 'siegemaster'))
    return `there is nothing to work on for a ${target} in a plan; write a step for it with set-steps`
  if (work.chain.length >= DEEPEST_CHAIN)
    return `${DEEPEST_CHAIN} roles wait for each other already (${work.chain.map(caller => caller.role).join(' -> ')} -> ${role}); do it yourself as far as you may, and say in your summary what is left`
  return null
}
