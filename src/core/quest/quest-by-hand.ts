import { RehoboamError } from '../../contract/errors.ts'
import type { RunEventOf, Stamped } from '../../contract/event.ts'
import type { StepId } from '../../contract/ids.ts'
import type { Decision } from '../machine.ts'
import { PLAN_REFUSED_NOTE, RETRY_NOTE } from '../notes.ts'
import { after, saying, tell, unblock } from '../parent/parent-moves.ts'
import { liveOf } from '../parent/parent-state.ts'
import { check } from './after-check.ts'
import { approved } from './after-signal.ts'
import { IN_CHARGE, leadsTo } from './flow.ts'
import { withDependents } from './plan.ts'
import { proceed, queued, ready } from './quest-moves.ts'
import { allWork, OVER, type Question, type QuestRun, type Work, withAnswer, withWork, workOf } from './quest-state.ts'

/** What people do with the steps of a quest: answer, try again, leave out. */

/** By id, in whatever case it is written. Refuses with a sentence. */
export function workNamed(state: QuestRun, id: StepId): Work {
  const found = allWork(state).find(work => work.id.toLowerCase() === id.toLowerCase())
  if (found) return found
  throw new RehoboamError(
    'step-unknown',
    `run ${state.id} has no step "${id}"; rehoboam show ${state.id} lists its steps`,
  )
}

export function mayRetry({ id: run, steps }: QuestRun, { id, state, dependsOn }: Work): void {
  const without = steps.find(step => dependsOn.includes(step.id) && step.state === 'skipped')
  if (without && state === 'skipped')
    throw new RehoboamError(
      'step-not-stuck',
      `step ${id} needs ${without.id}, which was left out; rehoboam retry ${run} ${without.id} first`,
    )
  if (state === 'asking' || state === 'resplit' || state === 'skipped') return
  const why = state === 'complete' || state === 'dropped' ? '' : ' and is not stuck'
  throw new RehoboamError('step-not-stuck', `step ${id} is ${state}${why}; rehoboam show ${run} says where it stands`)
}

export function maySkip({ id: run }: QuestRun, { id, state, phase }: Work): void {
  const isErrand = IN_CHARGE[id as Work['phase']] !== undefined
  const why = isErrand
    ? 'is no step, and a quest needs it'
    : OVER.has(state)
      ? `is ${state} already`
      : state === 'merging'
        ? `is being merged (${phase})`
        : null
  if (why !== null) throw new RehoboamError('step-not-skippable', `${id} ${why}; rehoboam show ${run} lists its steps`)
}

/** Everything that was counted against it is forgotten; what was done stays on its branch. */
export function stepRetried(before: QuestRun, { step, at }: Stamped<RunEventOf<'step-retried'>>): Decision<QuestRun> {
  const work = workOf(before, step)
  if (!work) return { state: before }
  const phase = IN_CHARGE[work.id as Work['phase']] ? (work.id as Work['phase']) : 'code'
  const next = { role: IN_CHARGE[phase]!, session: null, say: saying(RETRY_NOTE) }
  const resplits = before.resplits.filter(id => id !== step)
  const counted = { parts: 0, reds: 0, conflicts: 0, rounds: 0, bounces: {}, isFresh: false, isResplit: false }
  const change: Partial<Work> = { ...counted, phase, chain: [], isMending: false, isSieged: false }
  const open = { ...before, resplits }
  // One that was left out has its place in the plan again, and waits for its turn.
  const state =
    work.state === 'skipped' ? withWork(open, step, { ...change, state: 'pending' }) : ready(open, step, next, change)
  return proceed(unblock(state), at)
}

/** With everything that cannot be done without it. */
export function stepSkipped(before: QuestRun, { step, at }: Stamped<RunEventOf<'step-skipped'>>): Decision<QuestRun> {
  const gone = withDependents(before, step)
  const isLeftOut = ({ id, state }: Work) => gone.has(id) && !OVER.has(state) && state !== 'merging'
  const left = new Set(before.steps.filter(isLeftOut).map(({ id }) => id))
  const skipped: Partial<Work> = { state: 'skipped', phase: 'done', next: null, question: null, chain: [] }
  const state: QuestRun = {
    ...before,
    steps: before.steps.map(work => (left.has(work.id) ? { ...work, ...skipped } : work)),
    queue: before.queue.filter(id => !left.has(id)),
    resplits: before.resplits.filter(id => !left.has(id)),
  }
  const children = liveOf(before).filter(session => left.has(session.step))
  const told = { state, effects: tell(before, 'cancel', { children }) }
  return after(told, now => proceed(unblock(now), at))
}

export function answered(before: QuestRun, event: Stamped<RunEventOf<'answered'>>): Decision<QuestRun> {
  const { task: id, text, at, allow = false } = event
  const work = id === undefined ? undefined : workOf(before, id)
  const question = work?.question
  if (!work || !question || work.state !== 'asking') return { state: before }
  const { n, kind, note, text: about, askedAt } = question
  const said = { n, step: work.id, kind, text: about, note, askedAt, answeredAt: at, answer: text }
  const state = withAnswer(withWork(before, work.id, { question: null }), said)
  return goOn(unblock(state), work, question, text, allow, at)
}

function goOn(
  state: QuestRun,
  { id, session }: Work,
  { leads }: Question,
  text: string,
  allow: boolean,
  at: number,
): Decision<QuestRun> {
  switch (leads.do) {
    case 'start': {
      const { next } = leads
      const say = { ...next.say, texts: [...next.say.texts, text] }
      return proceed(ready(state, id, { ...next, say }), at)
    }
    case 'ward':
      return check(state, id, at)
    case 'prove':
      return check(state, id, at, { phase: 'prove' })
    case 'merge':
      return proceed(queued(state, id), at)
    case 'approve': {
      if (leadsTo('plan', 'approval', allow ? 'approved' : 'sent back') === 'steps') return proceed(approved(state), at)
      const next = { role: IN_CHARGE.plan!, session, say: saying(PLAN_REFUSED_NOTE, text) }
      return proceed(ready({ ...state, phase: 'planning' }, id, next, { phase: 'plan' }), at)
    }
  }
}
