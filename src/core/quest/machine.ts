import type { RunCreatedOf, RunEventOf, Stamped } from '../../contract/event.ts'
import { ENDED } from '../../contract/run.ts'
import type { Effect } from '../effect.ts'
import { beginning, type Decision, type Machine } from '../machine.ts'
import { clockStarted, clockStopped, limitFrom, limitTimer } from '../time-limit.ts'
import { begin, check, stepWarded, taskMerged } from './after-check.ts'
import { roleChanged, roleEnded, roleNotStarted } from './after-role.ts'
import { answered, stepRetried, stepSkipped } from './by-hand.ts'
import { IN_CHARGE } from './flow.ts'
import { roleStarted, told, withMessage } from './messages.ts'
import { after, errand, pause, proceed, saying, stopAll, tell } from './moves.ts'
import { replanned } from './plan.ts'
import { allWork, liveOf, noted, type QuestRun, questCost, withSession } from './state.ts'
import { TOLD } from './words.ts'

/** A quest: open, ward the base, requirements, plan, steps in slots until all are merged, review, ward the whole. */
export const questMachine: Machine<QuestRun> = { create, decide }

function create(event: Stamped<RunCreatedOf<'quest'>>): Decision<QuestRun> {
  const { spec, loop, quest, at } = event
  const state: QuestRun = {
    kind: 'quest',
    ...beginning(event),
    isPaused: false,
    loop,
    quest,
    timeLimit: limitFrom(spec.maxTimeMs, at),
    phase: 'opening',
    requirements: null,
    steps: [],
    errands: [],
    sessions: [],
    queue: [],
    merging: null,
    merges: 0,
    wards: [],
    tip: null,
    told: 0,
    isTampered: false,
    resplits: [],
    limit: { untilMs: null, waits: 0, isError: false },
    asked: 0,
    answers: [],
  }
  return { state, effects: [{ do: 'open-quest' }, ...limitTimer(state)] }
}

function decide(state: QuestRun, event: Stamped): Decision<QuestRun> {
  switch (event.type) {
    case 'quest-opened':
      return opened(state, event)
    case 'quest-not-opened':
      return state.phase === 'opening' ? pause(state, event.cause) : { state }
    case 'step-warded':
      return stepWarded(state, event)
    case 'role-started':
      return roleStarted(state, event)
    case 'role-changed':
      return roleChanged(state, event)
    case 'role-not-started':
      return roleNotStarted(state, event)
    case 'role-ended':
      return roleEnded(state, event)
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
    case 'noted':
      return { state: noted(state, event.notes) }
    case 'told':
      return told(state, event.text)
    case 'timer-fired':
      return timerFired(state, event)
    case 'cancel-requested':
      return ENDED.has(state.status) ? { state } : stopAll(state, event.at, 'cancel')
    case 'reject-requested':
      return ENDED.has(state.status) ? { state } : proceed({ ...awake(state), wish: state.wish ?? 'reject' }, event.at)
    case 'pause-requested':
      return paused(state)
    case 'resume-requested':
      return resumed(state, event)
    case 'project-not-found':
      return ENDED.has(state.status) ? { state } : pause(state, 'project-missing')
    case 'clock-stopped':
      return clockStopped(state, event.at)
    case 'clock-started':
      return clockStarted(state, event.at)
    case 'journal-repaired':
      return { state: { ...state, repairs: state.repairs + 1 } }
    default:
      return { state }
  }
}

function opened(before: QuestRun, { base, notes, at }: Stamped<RunEventOf<'quest-opened'>>): Decision<QuestRun> {
  if (before.phase !== 'opening') return { state: before }
  const state: QuestRun = noted({ ...before, base, tip: base.commit, phase: 'basing' }, notes)
  return based(state, at)
}

/** The checks on what was there before. */
function based(state: QuestRun, at: number): Decision<QuestRun> {
  if (state.loop.ward === null) return begin(state, at)
  return { state, effects: [{ do: 'ward-step', step: null, commit: state.base!.commit }] }
}

function timerFired(state: QuestRun, { timer, at }: Stamped<RunEventOf<'timer-fired'>>): Decision<QuestRun> {
  if (ENDED.has(state.status)) return { state }
  if (timer === 'max-time') return stopAll(state, at, 'time')
  if (timer === 'limit-wait') return proceed({ ...state, limit: { ...state.limit, untilMs: null } }, at)
  return { state }
}

/** One that rests comes to its end without being woken first. */
function awake(state: QuestRun): QuestRun {
  return liveOf(state).length > 0 ? state : { ...state, status: 'active', cause: null }
}

function paused(state: QuestRun): Decision<QuestRun> {
  if (ENDED.has(state.status) || state.status === 'paused' || state.wish !== null) return { state }
  return { ...pause({ ...state, isPaused: true }, 'paused-by-user'), effects: tell(state, 'pause') }
}

function resumed(before: QuestRun, event: Stamped<RunEventOf<'resume-requested'>>): Decision<QuestRun> {
  const { at, text } = event
  if (before.status === 'active') return { state: before }
  const hasEnded = ENDED.has(before.status)
  const spec = { ...before.spec, noQuestions: event.noQuestions ?? before.spec.noQuestions }
  const state: QuestRun = {
    ...before,
    spec,
    environment: event.environment,
    status: 'active',
    cause: null,
    isPaused: false,
    // Whoever resumes it may have another account now; else it is told of the limit again.
    limit: { untilMs: null, waits: 0, isError: false },
    endedAt: null,
    wish: null,
    proven: null,
    timeLimit: limitFrom(spec.maxTimeMs, at),
    ...(hasEnded && { paidBeforeUsd: questCost(before) }),
  }
  const said = text === null ? state : withMessage(state, text)
  const effects = tell(before, 'resume', text === null ? {} : { text })
  const woken: Decision<QuestRun> = { state: roused(said), effects, forget: ['max-time', 'limit-wait'] }
  const armed = after(woken, now => ({ state: now, effects: limitTimer(now) }))
  return after(armed, now => goOn(now, hasEnded, text, at))
}

/** Sessions that rest are told to go on. */
function roused(state: QuestRun): QuestRun {
  const sessions = state.sessions.map(session =>
    session.isLive && session.status === 'paused' ? { ...session, status: 'active' as const, cause: null } : session,
  )
  return { ...state, sessions }
}

/** Where it stood: what was begun and forgotten at its end is begun again. */
function goOn(state: QuestRun, hasEnded: boolean, text: string | null, at: number): Decision<QuestRun> {
  if (state.base === null) return { state: { ...state, phase: 'opening' }, effects: [{ do: 'open-quest' }] }
  if (state.phase === 'basing') return based(state, at)
  if (hasEnded && isWhole(state)) {
    const next = { role: IN_CHARGE.plan!, session: null, say: saying(TOLD, text) }
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
