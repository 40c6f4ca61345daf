import { deepStrictEqual as equal } from 'node:assert/strict'
import { expect, test } from 'vitest'
import type { RunEvent } from '../../src/contract/event.ts'
import { ERRANDS, StepState } from '../../src/contract/quest.ts'
import { ENDED } from '../../src/contract/run.ts'
import { liveOf } from '../../src/core/parent/parent-state.ts'
import { maySkip } from '../../src/core/quest/quest-by-hand.ts'
import { allWork, childName, OVER, type QuestRun, type Work } from '../../src/core/quest/quest-state.ts'
import { whoWaits } from '../../src/core/quest/quest-view.ts'
import { byHandIn, CAP, endOf, may, outcomesOf } from './quest-moves.ts'
import { created, ended, post, type QuestRecord, roleChange } from './quest-world.ts'
import { environment } from './run-world.ts'

// What was counted before a follow-up is told apart during it only in the whole walk, which takes minutes: 756,632 states.
const IS_WHOLE = process.env.WALK === 'whole'
// All of a state is looked at for what JSON would lose; that this is the same as losing nothing is tried with some.
const TRIED_EVERY = 500

// States share what did not change: each part is looked at once.
const seen = new WeakSet<object>()

const { states, passed } = walk()
const all = [...states.values()]
console.log(
  `quest machine: ${all.length + passed} reachable states of one step, ${passed} of them between a signal and its end`,
)

test('the states of one step in every phase are walked, and none of them is a dead end [quest-walk]', () => {
  expect(all.length).toBeGreaterThan(1_000)
  const dead = all.filter(({ state, pending }) => state.status === 'active' && Object.keys(pending).length === 0)
  expect(dead.map(nameOf)).toEqual([])
  const silent = all.filter(({ state }) => state.status === 'blocked' && whoWaits(state).length === 0)
  expect(silent.map(nameOf)).toEqual([])
})

test('every state holds its slots and survives JSON, and an end is complete only when all is in [quest-walk]', () => {
  expect(all.filter(isWrong).map(nameOf)).toEqual([])
  for (const record of all.filter((_, n) => n % TRIED_EVERY === 0)) equal(JSON.parse(JSON.stringify(record)), record)
})

test('the walk comes to pauses, ends by hand, follow-ups of follow-ups and every state of a step [quest-walk]', () => {
  const has = (is: (state: QuestRun) => boolean) => all.some(({ state }) => is(state))
  expect(['paused', 'blocked', 'cancelled', 'complete', 'active'].filter(status => !has(state => state.status === status))).toEqual([]) // biome-ignore format: one line
  expect(
    StepState.options.filter(one => one !== 'dropped' && !has(({ steps }) => steps.some(({ state }) => state === one))),
  ).toEqual([])
  expect([1, CAP].filter(deep => !has(({ steps }) => steps.some(({ chain }) => chain.length === deep)))).toEqual([])
})

function isWrong({ state }: QuestRecord): boolean {
  const live = liveOf(state)
  if (live.filter(({ slot }) => slot !== null).length > state.quest.slots) return true
  if (ENDED.has(state.status) && live.length > 0) return true
  return (state.status === 'complete' && !allWork(state).every(work => OVER.has(work.state))) || !isJson(state)
}

/** Nothing in it that JSON would leave out or change. */
function isJson(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype))
    return false
  if (seen.has(value)) return true
  seen.add(value)
  return Object.values(value).every(isJson)
}

/** All states by name, and how many there are beside them in which a session has signalled and not ended yet. */
function walk(): { states: Map<string, QuestRecord>; passed: number } {
  const states = new Map<string, QuestRecord>()
  const open: QuestRecord[] = [post(null, created({ slots: 1, approvePlan: true })).record]
  let passed = 0
  const come = (record: QuestRecord) => {
    const name = nameOf(record)
    if (states.has(name)) return
    states.set(name, record)
    open.push(record)
  }
  // The nearest first: what is found has the shortest history that leads to it.
  for (const record of open) {
    for (const event of eventsOf(record)) {
      const next = told(post(record, event).record)
      if (event.type !== 'signalled') {
        come(next)
        continue
      }
      passed += 1
      if (isWrong(next)) throw new Error(`after ${event.signal}: ${nameOf(next)}`)
      for (const end of endsOf(next, event.n)) come(end)
    }
  }
  return { states, passed }
}

/** From a signal to the end of its session: at once, or with its process gone before; stopped or left out meanwhile. */
function endsOf(record: QuestRecord, n: number): QuestRecord[] {
  const [effect] = Object.entries(record.pending).find(
    ([, asked]) => asked.do === 'run-child' && asked.child === childName(n),
  )!
  const end = endOf(effect, n, 'finished')
  const gone = roleChange(effect, n, ended())
  const { step: id } = record.state.children[n - 1]!
  const byHand: RunEvent[] = [{ type: 'pause-requested' }, { type: 'cancel-requested' }]
  const work = record.state.steps.find(one => one.id === id)
  if (work && may(() => maySkip(record.state, work))) byHand.push({ type: 'step-skipped', step: id })
  const between = [[], [gone], ...byHand.map(event => [event])]
  return between.map(events => [...events, end].reduce((so, event) => told(post(so, event).record), record))
}

/** Whoever is told obeys at once: when it does tells no two states apart. */
function told(record: QuestRecord): QuestRecord {
  const [key, asked] = Object.entries(record.pending).find(([, one]) => one.do === 'tell-children') ?? []
  if (key === undefined || asked?.do !== 'tell-children') return record
  const { record: heard } = post(record, { type: 'children-told', effect: key })
  if (asked.what !== 'pause') return told(heard)
  const resting = liveOf(heard.state).filter(({ status }) => status === 'active')
  return resting.reduce((so, { n }) => {
    const [effect] = Object.entries(so.pending).find(([, one]) => one.do === 'run-child' && one.child === childName(n))!
    return post(so, roleChange(effect, n, { status: 'paused', cause: 'paused-by-user' })).record
  }, told(heard))
}

/** Everything that can happen next, but for the time at which it does. */
function eventsOf(record: QuestRecord): RunEvent[] {
  const { state, pending } = record
  const resumed: RunEvent = { type: 'resume-requested', text: null, environment }
  if (ENDED.has(state.status)) return state.status === 'cancelled' ? [resumed] : []
  const outcomes = Object.entries(pending).flatMap(([key, effect]) => outcomesOf(state, key, effect))
  const run: RunEvent[] = [
    state.status === 'paused' ? resumed : { type: 'pause-requested' },
    { type: 'cancel-requested' },
  ]
  return [...outcomes, ...byHandIn(state), ...(state.wish === null ? run : [])]
}

/** What tells two states apart: numbers of sessions and questions do not. */
function nameOf({ state, pending }: QuestRecord): string {
  const { status, cause, phase, wish, merging } = state
  const isBeside = state.steps.some(work => work.state !== 'resplit' && work.state !== 'pending')
  const isShown = (id: string) => !(isBeside && id === 'plan')
  const live = liveOf(state).flatMap(one => (isShown(one.step) ? [[one.role, one.step, one.status]] : []))
  const asked = [...new Set(Object.values(pending).map(effect => effect.do))]
  // Who is being stopped, or has been, goes on with nothing but what is left of the works.
  const isOver = ENDED.has(status) || wish !== null
  const how = isOver ? [wish ?? status, live] : [status, cause, state.limit.untilMs !== null, live, asked.sort()]
  // A new plan beside a step that does not wait for it goes its own way, and how far it is changes nothing for the step.
  const works = allWork(state).map(work => (isShown(work.id) ? workName(work) : [work.id, OVER.has(work.state)]))
  return JSON.stringify([how, phase, merging, state.requirements !== null, works, state.resplits.length])
}

function workName(work: Work): unknown[] {
  const { id, state, phase, chain, question, next } = work
  // Nobody asks any more how it came to its end.
  if (OVER.has(state)) return [id, state]
  const goes = next && [next.role, next.session !== null]
  // An errand has counters too; they are those of a step.
  if (ERRANDS.includes(id as never)) return [id, state, phase, chain.length, question?.kind, goes]
  const callers = chain.map(({ role, resume, isMending }) => `${role} ${resume} ${isMending}`)
  const flags = [work.isFresh, work.isResplit, work.isMending, work.isSieged, work.bring]
  // What was counted of the step matters again when the follow-up is over: the deeper the chain, the less of it here.
  const most = IS_WHOLE ? CAP : CAP - chain.length
  const counted = [work.parts, work.reds, work.conflicts].map(n => Math.min(n, most))
  return [id, state, phase, callers, question?.kind, question?.leads.do, goes, flags, counted]
}
