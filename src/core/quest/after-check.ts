import type { RunEventOf, Stamped } from '../../contract/event.ts'
import type { WardOutcome } from '../../contract/loop.ts'
import type { Decision } from '../machine.ts'
import { standing } from '../ward/accepted.ts'
import { leadsTo, MOST_REDS } from './flow.ts'
import { after, ask, end, errand, proceed, queued, ready, saying } from './moves.ts'
import { type Next, noted, type QuestRun, type WardRecord, type Work, warded, withWork, workOf } from './state.ts'
import { BEGIN, CONFLICT, FOLLOWED_UP, RED, RED_MERGED, RESPLIT, REVIEW_AGAIN, WHOLE_RED } from './words.ts'

/** What follows the checks of a step, a merge, and the checks of the whole. */

/** The checks on what stands on the branch of a step. Without any there is nothing that could be red. */
export function check(before: QuestRun, id: string, at: number, change: Partial<Work> = {}): Decision<QuestRun> {
  const state = withWork(before, id, { phase: 'ward', ...change, state: 'warding', next: null, isMending: false })
  const work = workOf(state, id)!
  if (state.loop.ward === null) return work.phase === 'prove' ? complete(state, at) : proceed(green(state, work), at)
  const commit = (work.phase === 'prove' ? null : work.commit) ?? state.tip!
  // Its slot is free meanwhile.
  return after({ state, effects: [{ do: 'ward-step', step: id, commit }] }, now => proceed(now, at))
}

export function stepWarded(before: QuestRun, event: Stamped<RunEventOf<'step-warded'>>): Decision<QuestRun> {
  const { step, outcome, at } = event
  if (step === null) return baseWarded(before, outcome, at)
  const work = workOf(before, step)
  const state = warded(before, recordOf(work?.phase === 'prove' ? 'whole' : 'step', step, event))
  // Somebody left it out meanwhile.
  if (work?.state !== 'warding') return { state }
  if (work.phase === 'prove') return wholeWarded(state, work, outcome, at)
  switch (standing(outcome, state.baseRed ?? [])) {
    case 'green':
      return proceed(green(withWork(state, step, { reds: 0 }), work), at)
    case 'red':
      return proceed(red(state, work, at, RED, outcome.report), at)
    case 'could-not-run':
      return proceed(notRun(state, work, at, outcome.report, { do: 'ward' }), at)
  }
}

function recordOf(on: WardRecord['on'], step: string | null, event: { outcome: WardOutcome; at: number }): WardRecord {
  return { step, on, at: event.at, outcome: event.outcome }
}

/** What cannot be run on the base may run later, when somebody has made it. */
function baseWarded(before: QuestRun, outcome: WardOutcome, at: number): Decision<QuestRun> {
  if (before.phase !== 'basing') return { state: before }
  const baseRed = outcome.result === 'could-not-run' ? [] : outcome.failing
  const state = warded(before, recordOf('base', null, { outcome, at }))
  return begin({ ...state, baseRed }, at)
}

/** The first errand. */
export function begin(state: QuestRun, at: number): Decision<QuestRun> {
  const next: Next = { role: 'chaoswhisperer', session: null, say: saying(BEGIN) }
  return proceed(errand({ ...state, phase: 'requirements' }, 'requirements', next), at)
}

/** A caller that waits for it goes first. */
function green(state: QuestRun, work: Work): QuestRun {
  if (work.chain.length > 0) return backToCaller(state, work)
  const to = leadsTo('ward', work.isSieged ? 'green-and-sieged' : 'green')
  if (to === 'merge') return queued(state, work.id)
  return ready(state, work.id, { role: 'siegemaster', session: null, say: saying(BEGIN) }, { phase: 'siege' })
}

/** What was built at a caller's word is checked: it looks again, itself or as a fresh session of its role. */
export function backToCaller(state: QuestRun, work: Work): QuestRun {
  const caller = work.chain.at(-1)!
  const chain = work.chain.slice(0, -1)
  const { role, phase, isMending } = caller
  const note = work.id === 'review' ? REVIEW_AGAIN : FOLLOWED_UP
  const say = caller.resume ? saying(note, work.outcome) : saying(work.id === 'review' ? REVIEW_AGAIN : BEGIN)
  return ready(
    state,
    work.id,
    { role, session: caller.resume ? caller.session : null, say },
    { chain, phase, isMending, outcome: null },
  )
}

/** Mended, and checked again; the third time it is planned anew, and after that a person looks. */
function red(before: QuestRun, work: Work, at: number, note: string, report: string | null): QuestRun {
  const reds = work.reds + 1
  const state = withWork(before, work.id, { reds })
  const bring = note === RED_MERGED
  if (reds < MOST_REDS) return mend(state, work.id, note, report, bring)
  if (work.isResplit || work.id === 'review') {
    const leads = { do: 'start' as const, next: mender(note, report) }
    const words = `the checks were red ${reds} times in a row`
    return ask(state, work.id, at, { kind: 'ward', note: words, text: report, leads }, { ...MENDING, bring, reds: 0 })
  }
  return resplit(withWork(state, work.id, { bring }), work.id, report)
}

const MENDING = { phase: 'mend', isMending: true } as const

function mender(note: string, report: string | null): Next {
  return { role: 'spiritmender', session: null, say: saying(note, report) }
}

function mend(state: QuestRun, id: string, note: string, report: string | null, bring: boolean): QuestRun {
  return ready(state, id, mender(note, report), { ...MENDING, bring })
}

/** It waits until the plan has been looked at. Two that need it are looked at one after the other. */
function resplit(before: QuestRun, id: string, report: string | null): QuestRun {
  const state = withWork({ ...before, resplits: [...before.resplits, id] }, id, {
    state: 'resplit',
    phase: 'resplit',
    next: null,
    chain: [],
    outcome: report,
  })
  return state.resplits.length > 1 ? state : planAnew(state)
}

/** The next step that waits for it, if any. */
export function planAnew(state: QuestRun): QuestRun {
  const id = state.resplits[0]
  const work = id === undefined ? undefined : workOf(state, id)
  if (!work) return state
  const next: Next = { role: 'pathseeker', session: null, say: saying(RESPLIT, work.text, work.outcome) }
  return errand(state, 'plan', next)
}

function notRun(
  state: QuestRun,
  work: Work,
  at: number,
  text: string | null,
  leads: { do: 'ward' | 'merge' | 'prove' },
) {
  return ask(state, work.id, at, { kind: 'ward', note: 'the checks could not be run', text, leads })
}

export function taskMerged(before: QuestRun, event: Stamped<RunEventOf<'task-merged'>>): Decision<QuestRun> {
  const { task: id, outcome, at } = event
  const { result, tip, report } = outcome
  const work = workOf(before, id)!
  const isIn = result === 'merged' || result === 'nothing'
  const moved: QuestRun = {
    ...before,
    merging: null,
    queue: before.queue.filter(other => other !== id),
    tip,
    isTampered: before.isTampered || (isIn && outcome.ward?.tampered === true),
  }
  const state = outcome.ward ? warded(moved, recordOf('merge', id, { outcome: outcome.ward, at })) : moved
  switch (result) {
    case 'merged':
    case 'nothing': {
      const said = outcome.ward?.tampered ? [outcome.ward.report] : []
      const isMerged = { commit: result === 'merged' ? tip : work.commit, reds: 0 }
      const next = noted(withWork(state, id, isMerged), said)
      if (id === 'review') return reviewMerged(next, work, at)
      return proceed(withWork(next, id, { state: 'complete', phase: 'done', question: null }), at)
    }
    case 'red':
      return proceed(red(state, work, at, RED_MERGED, report), at)
    case 'conflict':
      return proceed(conflict(state, work, at, report), at)
    case 'could-not-run':
      return proceed(notRun(state, work, at, report, { do: 'merge' }), at)
  }
}

/** One attempt by us, then a person says how both intentions can hold. */
function conflict(before: QuestRun, work: Work, at: number, report: string | null): QuestRun {
  const conflicts = work.conflicts + 1
  const state = withWork(before, work.id, { conflicts })
  if (conflicts < 2) return mend(state, work.id, CONFLICT, report, true)
  const note = 'it is in conflict with what others did, again after that was resolved once'
  const leads = { do: 'start' as const, next: mender(CONFLICT, report) }
  return ask(state, work.id, at, { kind: 'conflict', note, text: report, leads }, { ...MENDING, bring: true })
}

/** What the review found is mended and in: it looks again, or the whole is checked again. */
function reviewMerged(state: QuestRun, work: Work, at: number): Decision<QuestRun> {
  if (work.chain.length > 0) return proceed(backToCaller(state, work), at)
  return check(state, 'review', at, { phase: 'prove' })
}

function wholeWarded(before: QuestRun, work: Work, outcome: WardOutcome, at: number): Decision<QuestRun> {
  const state: QuestRun = { ...before, lastWard: outcome, isTampered: before.isTampered || outcome.tampered }
  switch (standing(outcome, state.baseRed ?? [])) {
    case 'green':
      return complete(state, at)
    case 'red':
      return proceed(red(state, work, at, WHOLE_RED, outcome.report), at)
    case 'could-not-run':
      return proceed(notRun(state, work, at, outcome.report, { do: 'prove' }), at)
  }
}

function complete(before: QuestRun, at: number): Decision<QuestRun> {
  const state = withWork(before, 'review', { state: 'complete', phase: 'done' })
  const { lastWard, loop, isTampered } = state
  const isGreen = lastWard?.result === 'green'
  // What was accepted and is not green can only be what was red before.
  if (loop.ward !== null && !isGreen) return end({ ...state, proven: false }, at, 'complete', 'base-still-red')
  return end({ ...state, proven: isGreen && !isTampered }, at, 'complete', 'merged')
}
