import type { RunEventOf, Stamped } from '../../contract/event.ts'
import type { WardOutcome } from '../../contract/loop.ts'
import type { FlowPart, Outcome } from '../../contract/quest-flow.ts'
import type { Decision } from '../machine.ts'
import {
  CONFLICT_NOTE,
  FOLLOWED_UP_NOTE,
  NO_NOTE,
  RED_MERGED_NOTE,
  RED_NOTE,
  RESPLIT_NOTE,
  REVIEW_AGAIN_NOTE,
  WHOLE_RED_NOTE,
} from '../notes.ts'
import { after, afterMerge, complete as completeParent, saying } from '../parent/parent-moves.ts'
import { withNotes } from '../parent/parent-state.ts'
import { standing } from '../ward/accepted.ts'
import { IN_CHARGE, leadsTo, MOST_REDS } from './flow.ts'
import { ask, errand, proceed, queued, ready } from './quest-moves.ts'
import { type Next, type QuestRun, type WardRecord, type Work, warded, withWork, workOf } from './quest-state.ts'

/** What follows the checks of a step, a merge, and the checks of the whole. */

/** For whoever mends it, or is asked: what it is about, in our words, and what was found. */
type Found = { note: string; report: string | null }
const NOTHING_FOUND: Found = { note: NO_NOTE, report: null }

/** Where the flow leads a step, or the whole, with this outcome. */
export function goOn(state: QuestRun, work: Work, on: Outcome, at: number, found = NOTHING_FOUND): Decision<QuestRun> {
  const { id } = work
  const part: FlowPart = id === 'review' ? 'whole' : 'step'
  const to = leadsTo(part, work.phase, on)
  switch (to) {
    case 'ward':
      return check(state, id, at)
    case 'prove':
      return check(state, id, at, { phase: 'prove' })
    case 'merge':
      return proceed(queued(state, id, { isMending: false }), at)
    case 'caller':
      return proceed(backToCaller(state, work), at)
    case 'mend':
      return proceed(ready(state, id, mender(found), { ...MENDING, bring: brings(found) }), at)
    case 'resplit':
      return proceed(resplit(withWork(state, id, { bring: brings(found) }), id, found.report), at)
    case 'inbox':
      return proceed(askAbout(state, work, on, at, found), at)
    case 'done':
      if (part === 'whole') return complete(state, at)
      return proceed(withWork(state, id, { state: 'complete', phase: 'done', question: null }), at)
    case 'steps':
    case 'approval':
      throw new Error(`a ${part} does not come to ${to}`)
    default:
      return proceed(
        ready(state, id, { role: IN_CHARGE[to]!, session: null, say: saying(found.note) }, { phase: to }),
        at,
      )
  }
}

/** The checks on what stands on the branch of a step. Without any there is nothing that could be red. */
export function check(before: QuestRun, id: string, at: number, change: Partial<Work> = {}): Decision<QuestRun> {
  const state = withWork(before, id, { phase: 'ward', ...change, state: 'warding', next: null, isMending: false })
  const work = workOf(state, id)!
  if (state.loop.ward === null) return green(state, work, at)
  const commit = (work.phase === 'prove' ? null : work.commit) ?? state.tip!
  // Its slot is free meanwhile.
  return after({ state, effects: [{ do: 'run-ward', iteration: 0, step: id, commit, tree: null }] }, now =>
    proceed(now, at),
  )
}

export function checked(before: QuestRun, event: Stamped<RunEventOf<'warded'>>): Decision<QuestRun> {
  const { step, outcome, at } = event
  if (step === undefined) return baseWarded(before, outcome, at)
  const work = workOf(before, step)
  const state = warded(before, recordOf(work?.phase === 'prove' ? 'whole' : 'step', step, event))
  // Somebody left it out meanwhile.
  if (work?.state !== 'warding') return { state }
  if (work.phase === 'prove') return wholeWarded(state, work, outcome, at)
  switch (standing(outcome, state.baseRed ?? [])) {
    case 'green':
      return green(withWork(state, step, { reds: 0 }), work, at)
    case 'red':
      return red(state, work, at, { note: RED_NOTE, report: outcome.report })
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
  const next: Next = { role: 'chaoswhisperer', session: null, say: saying(NO_NOTE) }
  return proceed(errand({ ...state, phase: 'requirements' }, 'requirements', next), at)
}

/** A caller that waits for it goes first. */
function green(state: QuestRun, work: Work, at: number): Decision<QuestRun> {
  if (work.phase === 'prove') return goOn(state, work, 'green', at)
  if (work.chain.length > 0) return goOn(state, work, 'green, somebody waits', at)
  return goOn(state, work, work.isSieged ? 'green, sieged before' : 'green', at)
}

/** What was built at a caller's word is checked: it looks again, itself or as a fresh session of its role. */
export function backToCaller(state: QuestRun, work: Work): QuestRun {
  const caller = work.chain.at(-1)!
  const chain = work.chain.slice(0, -1)
  const { role, phase, isMending } = caller
  const note = work.id === 'review' ? REVIEW_AGAIN_NOTE : FOLLOWED_UP_NOTE
  const say = caller.resume ? saying(note, work.outcome) : saying(work.id === 'review' ? REVIEW_AGAIN_NOTE : NO_NOTE)
  return ready(
    state,
    work.id,
    { role, session: caller.resume ? caller.session : null, say },
    { chain, phase, isMending, outcome: null },
  )
}

/** Mended, and checked again; the third time it is planned anew, and after that a person looks. */
function red(before: QuestRun, work: Work, at: number, found: Found): Decision<QuestRun> {
  const reds = work.reds + 1
  const state = withWork(before, work.id, { reds })
  if (reds < MOST_REDS) return goOn(state, work, 'red', at, found)
  return goOn(state, work, work.isResplit ? 'red, planned anew before' : 'red for the third time', at, found)
}

const MENDING = { phase: 'mend', isMending: true } as const

function mender({ note, report }: Found): Next {
  return { role: IN_CHARGE.mend!, session: null, say: saying(note, report) }
}

/** What others did meanwhile has a part in it: it is taken into the branch first. */
function brings({ note }: Found): boolean {
  return note === RED_MERGED_NOTE || note === CONFLICT_NOTE
}

function askAbout(state: QuestRun, work: Work, on: Outcome, at: number, found: Found): QuestRun {
  const { reds } = workOf(state, work.id)!
  const isConflict = on === 'conflict again'
  const note = isConflict
    ? 'it is in conflict with what others did, again after that was resolved once'
    : `the checks were red ${reds} times in a row`
  const leads = { do: 'start' as const, next: mender(found) }
  const question = { kind: isConflict ? ('conflict' as const) : ('ward' as const), note, text: found.report, leads }
  return ask(state, work.id, at, question, { ...MENDING, bring: brings(found), ...(!isConflict && { reds: 0 }) })
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
  const next: Next = { role: 'pathseeker', session: null, say: saying(RESPLIT_NOTE, work.text, work.outcome) }
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
  const moved = afterMerge(before, event)
  const state = outcome.ward ? warded(moved, recordOf('merge', id, { outcome: outcome.ward, at })) : moved
  switch (result) {
    case 'merged':
    case 'nothing': {
      const said = outcome.ward?.tampered ? [outcome.ward.report] : []
      const isMerged = { commit: result === 'merged' ? tip : work.commit, reds: 0 }
      const next = withNotes(withWork(state, id, isMerged), said)
      // What the review found is mended and in: who found it looks again.
      return goOn(next, work, work.chain.length > 0 ? 'merged, somebody waits' : 'merged', at)
    }
    case 'red':
      return red(state, work, at, { note: RED_MERGED_NOTE, report })
    case 'conflict':
      return conflict(state, work, at, { note: CONFLICT_NOTE, report })
    case 'could-not-run':
      return proceed(notRun(state, work, at, report, { do: 'merge' }), at)
  }
}

/** One attempt by us, then a person says how both intentions can hold. */
function conflict(before: QuestRun, work: Work, at: number, found: Found): Decision<QuestRun> {
  const conflicts = work.conflicts + 1
  const state = withWork(before, work.id, { conflicts })
  return goOn(state, work, conflicts < 2 ? 'conflict' : 'conflict again', at, found)
}

function wholeWarded(before: QuestRun, work: Work, outcome: WardOutcome, at: number): Decision<QuestRun> {
  const state: QuestRun = { ...before, lastWard: outcome, isTampered: before.isTampered || outcome.tampered }
  switch (standing(outcome, state.baseRed ?? [])) {
    case 'green':
      return green(state, work, at)
    case 'red':
      return red(state, work, at, { note: WHOLE_RED_NOTE, report: outcome.report })
    case 'could-not-run':
      return proceed(notRun(state, work, at, outcome.report, { do: 'prove' }), at)
  }
}

function complete(before: QuestRun, at: number): Decision<QuestRun> {
  const state = withWork(before, 'review', { state: 'complete', phase: 'done' })
  return completeParent(state, at, state.lastWard?.result === 'green')
}
