import type { QuestionKind } from '../../contract/question.ts'
import type { Effect } from '../effect.ts'
import type { Decision } from '../machine.ts'
import { NO_NOTE } from '../notes.ts'
import {
  after,
  block,
  costLeft,
  end,
  isStopping,
  mergeNext,
  pause,
  rest,
  saying,
  stop,
} from '../parent/parent-moves.ts'
import { liveOf, newChild } from '../parent/parent-state.ts'
import {
  allWork,
  childName,
  messagesAfter,
  type Next,
  newestMessage,
  newWork,
  type Question,
  type QuestRun,
  type QuestSession,
  sessionNumbered,
  type Work,
  withSession,
  withWork,
  workOf,
} from './quest-state.ts'
import { freeSlot, isAllIn, startable } from './slots.ts'

/** The moves that only a quest has. They are decided from the state alone: every event leads to the same look at it. */

/**
 * What is to be done now, after anything has happened: merge, fill the slots, and when nothing is left, the next phase.
 * `left`: a session that has just ended, and whose work goes on at once in its slot: a follow-up runs in its caller's.
 */
export function proceed(before: QuestRun, at: number, left: QuestSession | null = null): Decision<QuestRun> {
  if (isStopping(before)) return stop(before, at)
  if (before.status !== 'active' || before.phase === 'opening' || before.phase === 'basing') return { state: before }
  const merging = mergeNext(before, id => workOf(before, id)!.commit!)
  const { merging: id } = merging.state
  const state = id === before.merging ? merging.state : withWork(merging.state, id!, { state: 'merging' })
  return after({ ...merging, state }, now => after(fillSlots(now, at, left), then => onwards(then, at)))
}

function fillSlots(before: QuestRun, at: number, left: QuestSession | null): Decision<QuestRun> {
  let state = before
  const effects: Effect[] = []
  for (let slot = slotFor(state, left); slot !== null; slot = slotFor(state)) {
    const own = left && workOf(state, left.step)
    const work = own?.state === 'ready' ? own : startable(state)
    if (!work) break
    const started = start(state, work, slot, at)
    state = started.state
    effects.push(started.effect)
  }
  return { state, effects }
}

function onwards(state: QuestRun, at: number): Decision<QuestRun> {
  if (!isBusy(state)) return settle(state, at)
  return { state: allWork(state).some(work => work.state === 'warding') ? state : rest(state) }
}

function slotFor(state: QuestRun, left: QuestSession | null = null): number | null {
  return state.wish === 'reject' || state.limit.untilMs !== null ? null : freeSlot(state, left?.slot)
}

/** Something goes on without a person. */
function isBusy(state: QuestRun): boolean {
  if (state.merging !== null || liveOf(state).length > 0) return true
  return allWork(state).some(
    work => work.state === 'warding' || (work.state === 'ready' && state.limit.untilMs !== null),
  )
}

function start(before: QuestRun, work: Work, slot: number, at: number): { state: QuestRun; effect: Effect } {
  const { role, session, say } = work.next ?? { role: 'codeweaver', session: null, say: saying(NO_NOTE) }
  const n = session ?? before.children.length + 1
  const name = childName(n)
  const heard = newestMessage(before)
  const iteration = (sessionNumbered(before, n)?.iteration ?? 0) + 1
  const turn = { iteration, isLive: true, slot, status: 'active', cause: null } as const
  const live = { ...turn, signal: null, endedAt: null, heard }
  const fresh: QuestSession = { ...newChild(name), n, id: null, role, step: work.id, startedAt: at, ...live }
  const state = session === null ? { ...before, children: [...before.children, fresh] } : withSession(before, n, live)
  const missed = session === null ? before.waiting : messagesAfter(before, sessionNumbered(before, n)!.heard)
  const effect: Effect = {
    do: 'run-child',
    child: name,
    from: state.tip!,
    bring: work.bring ? state.tip : null,
    say,
    messages: missed.map(({ text }) => text),
    maxCostUsd: costLeft(state),
  }
  const attempts = work.attempts + (session === null ? 1 : 0)
  const phase = work.id === 'review' ? 'reviewing' : state.phase
  return {
    state: withWork({ ...state, phase }, work.id, { state: 'working', session: n, next: null, bring: false, attempts }),
    effect,
  }
}

/** Nothing runs. Whoever waits is said; what is whole goes on to its next phase. */
function settle(state: QuestRun, at: number): Decision<QuestRun> {
  if (state.wish === 'reject') return end(state, at, 'cancelled', 'rejected')
  const asking = allWork(state).filter(work => work.state === 'asking')
  const first = asking[0]
  if (first && state.spec.noQuestions) return pause(state, 'question')
  if (first) return block(state, first.question?.kind === 'conflict' ? 'conflict' : 'waits-for-person')
  if (state.phase === 'working' && isAllIn(state)) return proceed(reviewing(state), at)
  return end(state, at, 'stalled', 'tasks-left')
}

/** Every step is in: the whole is looked at. */
function reviewing(state: QuestRun): QuestRun {
  const next: Next = { role: 'lawbringer', session: null, say: saying(NO_NOTE) }
  return errand({ ...state, phase: 'reviewing' }, 'review', next)
}

/** An errand is sent for, or sent for again. */
export function errand(state: QuestRun, id: 'requirements' | 'plan' | 'review', next: Next): QuestRun {
  const fresh = newWork({ id, text: state.prompt, files: [], dependsOn: [], requirements: [] }, id)
  const work: Work = { ...fresh, state: 'ready', next }
  const others = state.errands.filter(other => other.id !== id)
  return { ...state, errands: [...others, work] }
}

/** Waits for a slot, to go on with this. */
export function ready(state: QuestRun, id: string, next: Next, change: Partial<Work> = {}): QuestRun {
  return withWork(state, id, { ...change, state: 'ready', next, question: null })
}

export function queued(state: QuestRun, id: string, change: Partial<Work> = {}): QuestRun {
  const next = withWork(state, id, { ...change, state: 'queued', phase: 'merge', next: null })
  return { ...next, queue: [...next.queue, id] }
}

/** A person has to say how it goes on. */
export function ask(
  state: QuestRun,
  id: string,
  at: number,
  question: { kind: QuestionKind; note: string; text: string | null; leads: Question['leads'] },
  change: Partial<Work> = {},
): QuestRun {
  const n = state.asked + 1
  const asked: Question = { n, askedAt: at, ...question }
  return withWork({ ...state, asked: n }, id, { ...change, state: 'asking', question: asked, next: null })
}
