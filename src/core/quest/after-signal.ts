import type { Decision } from '../machine.ts'
import {
  ANSWERED_NOTE,
  CONTINUED_NOTE,
  FINDINGS_NOTE,
  FOLLOW_UP_NOTE,
  GAPS_NOTE,
  NO_NOTE,
  REPLANNED_NOTE,
} from '../notes.ts'
import { saying } from '../parent/parent-moves.ts'
import { backToCaller, check, goOn, planAnew } from './after-check.ts'
import { EXAMINERS, IN_CHARGE, isInFlow, leadsTo, MOST_BOUNCES, MOST_PARTS, MOST_ROUNDS, phaseOf } from './flow.ts'
import { ask, errand, proceed, queued, ready } from './quest-moves.ts'
import {
  builds,
  type Next,
  type QuestRun,
  type QuestSession,
  type Signal,
  type Work,
  withWork,
  workOf,
} from './quest-state.ts'
import { isAllIn } from './slots.ts'

/** What a signal leads to, once its session has ended. */
export function afterSignal(
  before: QuestRun,
  work: Work,
  session: QuestSession,
  signal: Signal,
  at: number,
): Decision<QuestRun> {
  const { signal: kind, text } = signal
  const state: QuestRun = withWork({ ...before, limit: { ...before.limit, waits: 0 } }, work.id, { isFresh: false })
  switch (kind) {
    case 'complete':
      return complete(withWork(state, work.id, { parts: 0, outcome: text }), work.id, session, at)
    case 'partially-complete':
      return proceed(continued(state, work, session, text, at), at)
    case 'needs-user-input': {
      const next: Next = { role: session.role, session: session.n, say: saying(ANSWERED_NOTE) }
      const note = `${session.role} asks`
      const question = { kind: 'question' as const, note, text, leads: { do: 'start' as const, next } }
      return proceed(ask(state, work.id, at, question, { parts: 0 }), at)
    }
    case 'needs-role-followup':
      return proceed(followUp(state, work, session, signal, at), at, session)
  }
}

/** A fresh session of the same role, with both texts; one that is never done is for a person to look at. */
function continued(state: QuestRun, work: Work, { role }: QuestSession, text: string, at: number): QuestRun {
  const parts = work.parts + 1
  const next: Next = { role, session: null, say: saying(CONTINUED_NOTE, text) }
  if (parts <= MOST_PARTS) return ready(state, work.id, next, { parts })
  const note = `${role}: it was partially complete ${parts} times in a row`
  return ask(state, work.id, at, { kind: 'stall', note, text, leads: { do: 'start', next } }, { parts: 0 })
}

function followUp(state: QuestRun, work: Work, session: QuestSession, signal: Signal, at: number): QuestRun {
  const { role, n } = session
  const target = signal.target!
  const { phase, isMending } = work
  const chain = [...work.chain, { role, session: n, resume: signal.resume, phase, isMending }]
  const pair = [role, target].sort().join(' ')
  const bounces = (work.bounces[pair] ?? 0) + 1
  const isFinding = work.id === 'review' && role === 'lawbringer' && builds(state, target)
  const rounds = work.rounds + (isFinding ? 1 : 0)
  const words = isFinding
    ? FINDINGS_NOTE
    : role === 'siegemaster' && target === 'codeweaver'
      ? GAPS_NOTE
      : FOLLOW_UP_NOTE
  const next: Next = { role: target, session: null, say: saying(words, signal.text) }
  const change: Partial<Work> = {
    chain,
    parts: 0,
    rounds,
    isMending: false,
    phase: phaseOf(target) ?? phase,
    bounces: { ...work.bounces, [pair]: bounces },
  }
  const isCircle = isFinding ? rounds > MOST_ROUNDS : bounces >= MOST_BOUNCES
  if (!isCircle) return ready(state, work.id, next, change)
  const note = `${role} and ${target} hand it to each other again and again`
  const question = { kind: 'stall' as const, note, text: signal.text, leads: { do: 'start' as const, next } }
  return ask(state, work.id, at, question, { ...change, bounces: {}, rounds: 0 })
}

function complete(state: QuestRun, id: string, session: QuestSession, at: number): Decision<QuestRun> {
  const work = workOf(state, id)!
  if (isForCaller(work)) return followedUp(state, work, session.role, session, at)
  if (id === 'requirements') return proceed(toPlan(state), at)
  if (id === 'plan') return proceed(planned(state, at), at)
  const sieged = work.phase === 'siege' ? withWork(state, id, { isSieged: true }) : state
  // Whoever came into a step by a follow-up, and has no caller any more: what is there is checked.
  if (id !== 'review' && !isInFlow('step', work.phase)) return check(sieged, id, at)
  return goOn(sieged, work, 'complete', at)
}

/** Whoever works on it was asked to by another role; who mends what the checks found was not. */
function isForCaller({ chain, isMending }: Work): boolean {
  return chain.length > 0 && !isMending
}

/** Whether its slot is free as soon as the process is gone: what follows has to wait for checks, a merge or a person. */
export function leavesSlot(work: Work, signal: Signal | null): boolean {
  if (signal?.signal === 'needs-user-input') return true
  return signal?.signal === 'complete' && !isForCaller(work)
}

/** A follow-up is done: its caller goes on with the outcome, or everything goes on without its caller. */
function followedUp(before: QuestRun, work: Work, role: string, session: QuestSession, at: number): Decision<QuestRun> {
  const caller = work.chain.at(-1)!
  if (builds(before, role) && EXAMINERS.has(caller.role)) {
    return work.id === 'review' ? proceed(queued(before, work.id), at) : check(before, work.id, at)
  }
  const state = isAllIn(before) || before.phase === 'planning' ? before : { ...before, phase: 'working' as const }
  if (caller.resume) return proceed(backToCaller(state, work), at, session)
  const chain = work.chain.slice(0, -1)
  const without = withWork(state, work.id, { chain, phase: caller.phase, isMending: caller.isMending })
  if (chain.length > 0) return followedUp(without, workOf(without, work.id)!, caller.role, session, at)
  return withoutCaller(without, workOf(without, work.id)!, role, at)
}

/** As if the caller had done its part. */
function withoutCaller(state: QuestRun, work: Work, role: string, at: number): Decision<QuestRun> {
  const { id } = work
  if (id === 'plan') return proceed(planned(state, at), at)
  if (id === 'review') return proceed(again(state, id, 'lawbringer', 'review', NO_NOTE), at)
  if (role === 'pathseeker') return proceed(again(state, id, 'codeweaver', 'code', REPLANNED_NOTE), at)
  return check(state, id, at)
}

function again(state: QuestRun, id: string, role: string, phase: 'code' | 'review', note: string): QuestRun {
  return ready(state, id, { role, session: null, say: saying(note) }, { phase, isMending: false })
}

function toPlan(state: QuestRun): QuestRun {
  const done = withWork(state, 'requirements', { state: 'complete', phase: 'done' })
  const to = leadsTo('plan', 'requirements', 'complete') as 'plan'
  const next: Next = { role: IN_CHARGE[to]!, session: null, say: saying(NO_NOTE) }
  return errand({ ...done, phase: 'planning' }, to, next)
}

/** The plan is made, or made anew for a step that waits for it. */
function planned(state: QuestRun, at: number): QuestRun {
  const [about, ...resplits] = state.resplits
  if (about !== undefined) {
    const done = withWork({ ...state, resplits }, 'plan', { state: 'complete', phase: 'done' })
    const work = workOf(done, about)
    const goes = work?.state === 'resplit' ? plannedAnew(done, work) : done
    return planAnew(goes)
  }
  if (state.phase !== 'planning') return withWork(state, 'plan', { state: 'complete', phase: 'done' })
  const to = leadsTo('plan', 'plan', state.quest.approvePlan ? 'complete, to be approved' : 'complete')
  if (to === 'steps') return approved(state)
  const note = 'the plan is made; allow lets it begin, deny or an answer sends it back to be planned anew'
  const question = { kind: 'plan' as const, note, text: null, leads: { do: 'approve' as const } }
  return ask({ ...state, phase: 'approval' }, 'plan', at, question, { phase: 'approval' })
}

export function approved(state: QuestRun): QuestRun {
  return withWork({ ...state, phase: 'working' }, 'plan', { state: 'complete', phase: 'done', question: null })
}

function plannedAnew(state: QuestRun, work: Work): QuestRun {
  const phase = leadsTo('step', 'resplit', 'planned anew') as 'code'
  const next: Next = { role: IN_CHARGE[phase]!, session: null, say: saying(REPLANNED_NOTE, work.outcome) }
  return ready(state, work.id, next, { phase, reds: 0, isResplit: true, isSieged: false, bounces: {} })
}
