import type { RunCreatedOf, RunEventOf, Stamped } from '../../contract/event.ts'
import { ENDED } from '../../contract/run.ts'
import type { Effect } from '../effect.ts'
import type { Decision } from '../machine.ts'
import { MORE_STEPS_NOTE } from '../notes.ts'
import { beginParent, parentMachine } from '../parent/parent-machine.ts'
import { after, rearm, saying, tell } from '../parent/parent-moves.ts'
import { liveOf, withNotes } from '../parent/parent-state.ts'
import { limitTimer } from '../time-limit.ts'
import { begin, check, checked, taskMerged } from './after-check.ts'
import { IN_CHARGE } from './flow.ts'
import { sessionStarted, told, withMessage } from './messages.ts'
import { replanned } from './plan.ts'
import { childChanged, childEnded, childNotStarted } from './quest-after-child.ts'
import { answered, stepRetried, stepSkipped } from './quest-by-hand.ts'
import { errand, proceed } from './quest-moves.ts'
import { allWork, type QuestRun, withSession } from './quest-state.ts'

/** A quest: open, ward the base, requirements, plan, steps in slots until all are merged, review, ward the whole. */
export const questMachine = parentMachine<QuestRun>({ create, decide })

function create(event: Stamped<RunCreatedOf<'quest'>>): Decision<QuestRun> {
  const state: QuestRun = {
    kind: 'quest',
    ...beginParent(event),
    quest: event.quest,
    lastWard: null,
    phase: 'opening',
    requirements: null,
    steps: [],
    errands: [],
    wards: [],
    resplits: [],
    limit: NO_LIMIT,
    asked: 0,
    answers: [],
  }
  return { state, effects: [{ do: 'open-branch' }, ...limitTimer(state)] }
}

const NO_LIMIT: QuestRun['limit'] = { untilMs: null, waits: 0, isError: false }

function decide(state: QuestRun, event: Stamped): Decision<QuestRun> {
  switch (event.type) {
    case 'branch-opened':
      return opened(state, event)
    case 'warded':
      return checked(state, event)
    case 'child-started':
      return sessionStarted(state, event)
    case 'child-changed':
      return childChanged(state, event)
    case 'child-not-started':
      return childNotStarted(state, event)
    case 'child-ended':
      return childEnded(state, event)
    case 'signalled': {
      const { signal, text, target, resume } = event
      return { state: withSession(state, event.n, { signal: { signal, text, target, resume } }) }
    }
    case 'requirements-set':
      return { state: { ...state, requirements: { text: event.text, ids: event.ids } } }
    case 'steps-set':
      return proceed(replanned(state, event), event.at)
    case 'task-merged':
      return taskMerged(state, event)
    case 'step-retried':
      return stepRetried(state, event)
    case 'step-skipped':
      return stepSkipped(state, event)
    case 'answered':
      return answered(state, event)
    case 'told':
      return told(state, event)
    case 'timer-fired':
      return event.timer === 'limit-wait' && !ENDED.has(state.status)
        ? proceed({ ...state, limit: { ...state.limit, untilMs: null } }, event.at)
        : { state }
    case 'reject-requested':
      return ENDED.has(state.status) ? { state } : proceed({ ...awake(state), wish: state.wish ?? 'reject' }, event.at)
    case 'resume-requested':
      return resumed(state, event)
    default:
      return { state }
  }
}

function opened(before: QuestRun, { base, notes, at }: Stamped<RunEventOf<'branch-opened'>>): Decision<QuestRun> {
  if (before.phase !== 'opening') return { state: before }
  const state: QuestRun = withNotes({ ...before, base, tip: base.commit, phase: 'basing' }, notes)
  return based(state, at)
}

/** The checks on what was there before. */
function based(state: QuestRun, at: number): Decision<QuestRun> {
  if (state.loop.ward === null) return begin(state, at)
  return { state, effects: [{ do: 'run-ward', iteration: 0, ...state.base! }] }
}

/** One that rests comes to its end without being woken first. */
function awake(state: QuestRun): QuestRun {
  return liveOf(state).length > 0 ? state : { ...state, status: 'active', cause: null }
}

function resumed(before: QuestRun, event: Stamped<RunEventOf<'resume-requested'>>): Decision<QuestRun> {
  const { at, text, seq } = event
  if (before.status === 'active') return { state: before }
  // The person who resumes it may use another account now. Otherwise the client reports the limit again.
  const state: QuestRun = { ...rearm(before, event), limit: NO_LIMIT }
  const message = text === null ? undefined : { text, of: seq }
  const told: Decision<QuestRun> = {
    state: message ? withMessage(state, message) : state,
    effects: tell(before, 'resume', message && { message }),
    forget: ['limit-wait'],
  }
  return after(told, now => goOn(now, ENDED.has(before.status), text, at))
}

/** Where it stood: what was begun and forgotten at its end is begun again. */
function goOn(state: QuestRun, hasEnded: boolean, text: string | null, at: number): Decision<QuestRun> {
  if (state.base === null) return { state: { ...state, phase: 'opening' }, effects: [{ do: 'open-branch' }] }
  if (state.phase === 'basing') return based(state, at)
  if (hasEnded && isWhole(state)) {
    const next = { role: IN_CHARGE.plan!, session: null, say: saying(MORE_STEPS_NOTE, text) }
    return proceed(errand({ ...state, phase: 'planning' }, 'plan', next), at)
  }
  const again = hasEnded ? allWork(state).filter(work => work.state === 'warding') : []
  const warding = again.reduce<Decision<QuestRun>>(
    (so, work) => after(so, now => check(now, work.id, at, { phase: work.phase })),
    { state, effects: [] as Effect[] },
  )
  return after(warding, now => proceed(now, at))
}

/** It was reviewed and checked to its end. */
function isWhole({ errands }: QuestRun): boolean {
  return errands.some(({ id, state }) => id === 'review' && state === 'complete')
}
