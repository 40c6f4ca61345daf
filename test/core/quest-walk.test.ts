import { deepStrictEqual as equal } from 'node:assert/strict'
import { expect, test } from 'vitest'
import type { RunEvent } from '../../src/contract/event.ts'
import { ERRANDS } from '../../src/contract/quest.ts'
import { FOLLOW_UP_ROLES, SIGNAL_KINDS } from '../../src/contract/quest-tools.ts'
import { ENDED } from '../../src/contract/run.ts'
import type { Effect } from '../../src/core/effect.ts'
import { mayRetry, maySkip } from '../../src/core/quest/by-hand.ts'
import { hear } from '../../src/core/quest/signals.ts'
import { allWork, liveOf, OVER, type QuestRun, type Work } from '../../src/core/quest/state.ts'
import { whoWaits } from '../../src/core/quest/view.ts'
import { commitOf, created, ended, post, type QuestRecord, step, wardOf } from './quest-world.ts'
import { text } from './session-world.ts'

// Counters count to 2 here: what happens at their ends is in the tests of the flow.
const CAP = 2
const DEEPEST = 1

const states = walk()
const all = [...states.values()]
console.log(`quest machine: ${all.length} reachable states of one step`)

test('the states of one step in every phase are walked, and none of them is a dead end [quest-walk]', () => {
  expect(all.length).toBeGreaterThan(1_000)
  const dead = all.filter(({ state, pending }) => state.status === 'active' && Object.keys(pending).length === 0)
  expect(dead.map(nameOf)).toEqual([])
  const silent = all.filter(({ state }) => state.status === 'blocked' && whoWaits(state).length === 0)
  expect(silent.map(nameOf)).toEqual([])
})

test('every state holds its slots, an end is complete only when all is in, and every fiftieth survives JSON [quest-walk]', () => {
  const isWhole = ({ state }: QuestRecord) => allWork(state).every(work => OVER.has(work.state))
  const wrong = all.filter(record => {
    const { state } = record
    const live = liveOf(state).length
    const busy = liveOf(state).filter(({ slot }) => slot !== null).length
    if (busy > state.quest.slots || (ENDED.has(state.status) && live > 0)) return true
    return state.status === 'complete' && !isWhole(record)
  })
  expect(wrong.map(nameOf)).toEqual([])
  for (const record of all.filter((_, n) => n % 50 === 0)) equal(JSON.parse(JSON.stringify(record)), record)
})

function walk(): Map<string, QuestRecord> {
  const found = new Map<string, QuestRecord>()
  const open: QuestRecord[] = [post(null, created({ slots: 1, approvePlan: true })).record]
  // The nearest first: what is found has the shortest history that leads to it.
  for (const record of open) {
    for (const event of eventsOf(record)) {
      const next = told(post(record, event).record)
      const name = nameOf(next)
      if (found.has(name)) continue
      found.set(name, next)
      open.push(next)
    }
  }
  return found
}

/** Whoever is told obeys at once: when it does tells no two states apart. */
function told(record: QuestRecord): QuestRecord {
  const key = Object.keys(record.pending).find(one => record.pending[one]!.do === 'tell-children')
  return key === undefined ? record : told(post(record, { type: 'children-told', effect: key }).record)
}

/** Everything that can happen next, but for the time at which it does. */
function eventsOf(record: QuestRecord): RunEvent[] {
  const { state, pending } = record
  if (ENDED.has(state.status)) return []
  const asking = allWork(state).filter(work => work.state === 'asking')
  const answers = asking.flatMap(({ id }): RunEvent[] =>
    [true, false].map(allow => ({ type: 'answered', text: text(7), task: id, allow })),
  )
  const byHand = state.steps.flatMap(work => [
    // What was left out and comes back is pending again, which it was before.
    ...(work.state !== 'skipped' && may(() => mayRetry(state, work))
      ? [{ type: 'step-retried' as const, step: work.id }]
      : []),
    ...(may(() => maySkip(state, work)) ? [{ type: 'step-skipped' as const, step: work.id }] : []),
  ])
  const outcomes = Object.entries(pending).flatMap(([key, effect]) => outcomesOf(state, key, effect))
  return [...outcomes, ...answers, ...byHand]
}

function may(check: () => void): boolean {
  try {
    check()
    return true
  } catch {
    return false
  }
}

function outcomesOf(state: QuestRun, effect: string, asked: Effect): RunEvent[] {
  const results = ['green', 'red', 'could-not-run'] as const
  switch (asked.do) {
    case 'open-quest':
      return [{ type: 'quest-opened', effect, base: { commit: commitOf(1), tree: commitOf(1) }, notes: [] }]
    case 'ward-step':
      return results.map(result => ({ type: 'step-warded', effect, step: asked.step, outcome: wardOf(result) }))
    case 'set-timer':
      return [{ type: 'timer-fired', effect, timer: asked.name }]
    case 'merge-task':
      return (['merged', 'red', 'conflict', 'could-not-run'] as const).map(result => {
        const outcome = { result, tip: commitOf(2), tree: null, ward: null, report: text(8) }
        return { type: 'task-merged', effect, task: asked.task, outcome }
      })
    case 'run-role':
      return roleOutcomes(state, effect, asked.n)
    default:
      return []
  }
}

function roleOutcomes(state: QuestRun, effect: string, n: number): RunEvent[] {
  const session = state.sessions[n - 1]!
  const end = (cause: 'finished' | 'crashed' | 'stuck'): RunEvent => {
    const status = cause === 'finished' ? 'complete' : 'failed'
    return {
      type: 'role-ended',
      effect,
      n,
      outcome: ended({ status, cause, costUsd: 0, turns: 0, commit: commitOf(3) }),
    }
  }
  if (session.signal) return [end('finished')]
  if (state.requirements === null) return [{ type: 'requirements-set', n, text: text(3), ids: [] }]
  if (session.role === 'pathseeker' && state.steps.length === 0)
    return [{ type: 'steps-set', n, steps: [step('a')], drop: [] }]
  return [...signalsOf(state, n), end('crashed'), end('stuck')]
}

function signalsOf(state: QuestRun, n: number): RunEvent[] {
  const { step: stepId } = state.sessions[n - 1]!
  const work = allWork(state).find(({ id }) => id === stepId)!
  return SIGNAL_KINDS.flatMap((signal): RunEvent[] => {
    const isFollowUp = signal === 'needs-role-followup'
    if (isFollowUp && work.chain.length >= DEEPEST) return []
    const targets = isFollowUp ? FOLLOW_UP_ROLES : [null]
    return targets.flatMap(target =>
      (isFollowUp ? [true, false] : [false]).flatMap((resume): RunEvent[] => {
        const said = { signal, stepId, text: text(9), target, resume }
        return hear(state, n, said).is === 'new'
          ? [{ type: 'signalled', n, signal, text: text(9), target, resume }]
          : []
      }),
    )
  })
}

/** What tells two states apart: numbers of sessions and questions do not. */
function nameOf({ state, pending }: QuestRecord): string {
  const live = liveOf(state).map(({ role, step: id, status, signal }) => [
    role,
    id,
    status,
    signal?.signal,
    signal?.target,
    signal?.resume,
  ])
  const asked = [...new Set(Object.values(pending).map(effect => effect.do))]
  const { status, cause, phase, wish, merging } = state
  const works = allWork(state).map(workName)
  return JSON.stringify([
    status,
    cause,
    phase,
    wish,
    merging,
    state.limit.untilMs !== null,
    state.requirements !== null,
    works,
    live,
    asked.sort(),
    state.resplits,
  ])
}

function workName(work: Work): unknown[] {
  const { id, state, phase, chain, question, next } = work
  // Nobody asks any more how it came to its end.
  if (OVER.has(state)) return [id, state]
  const counted = [work.parts, work.reds, work.conflicts]
  const callers = chain.map(({ role, resume, isMending }) => `${role} ${resume} ${isMending}`)
  const flags = [work.isFresh, work.isResplit, work.isMending, work.isSieged, work.bring]
  const goes = next && [next.role, next.session !== null]
  // An errand has counters too; they are those of a step.
  if (ERRANDS.includes(id as never)) return [id, state, phase, callers.length, question?.kind, goes]
  return [
    id,
    state,
    phase,
    callers,
    question?.kind,
    question?.leads.do,
    goes,
    flags,
    counted.map(n => Math.min(n, CAP)),
  ]
}
