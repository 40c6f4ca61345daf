import type { RunEvent, Stamped } from '../src/contract/event.ts'
import type { NewStep } from '../src/contract/quest.ts'
import { type QuestRun, type QuestSession, sessionNamed } from '../src/core/quest/quest-state.ts'
import { advance } from '../src/core/run/advance.ts'
import { created, ended, type QuestRecord, roleEnd, step } from '../test/core/quest-world.ts'
import { BASE, commitOf, text, wardOf } from '../test/core/run-world.ts'

/** How long the two sessions of each step take. */
export type Graph = {
  steps: NewStep[]
  slots: number
  tookMs: Map<string, { codeweaver: number; siegemaster: number }>
}

/** The same graph for the same seed: 5 to 40 steps, each waiting for up to three before it. */
export function randomGraph(seed: number): Graph {
  let state = (seed * 2_654_435_761 + 1) >>> 0
  const below = (most: number) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
  const steps = Array.from({ length: 5 + below(36) }, (_, n) => {
    const before = Array.from({ length: below(4) }, () => below(Math.max(1, n))).filter(other => other < n)
    return step(`s${n}`, [...new Set(before.map(other => `s${other}`))])
  })
  const tookMs = new Map(steps.map(({ id }) => [id, { codeweaver: 1 + below(50), siegemaster: 1 + below(20) }]))
  return { steps, slots: 1 + below(6), tookMs }
}

/** The machine itself in a time of its own, in which checks, merges, plan and review take none: when all steps are in. */
export function virtualMakespan({ steps, slots, tookMs }: Graph): number {
  let record = advance<QuestRun>(null, stamp(null, created({ slots }), 0)).record
  let now = 0
  const ends = new Map<string, number>()
  const post = (event: RunEvent) => {
    record = advance<QuestRun>(record, stamp(record, event, now)).record
  }
  for (;;) {
    if (record.state.steps.length > 0 && record.state.steps.every(({ state }) => state === 'complete')) return now
    const event = instantly(record, steps)
    if (event) {
      post(event)
      continue
    }
    const running = Object.entries(record.pending).flatMap(([key, effect]) =>
      effect.do === 'run-child' ? [{ key, session: sessionNamed(record.state, effect.child) }] : [],
    )
    for (const { key, session } of running) {
      if (!ends.has(key)) ends.set(key, now + tookMs.get(session.step)![session.role as 'codeweaver'])
    }
    const next = running.toSorted((a, b) => ends.get(a.key)! - ends.get(b.key)!)[0]
    if (!next) throw new Error('the quest does not go on')
    now = ends.get(next.key)!
    for (const part of role(next.key, next.session)) post(part)
  }
}

function stamp(record: QuestRecord | null, event: RunEvent, at: number): Stamped {
  return { ...event, seq: (record?.seq ?? 0) + 1, at } as Stamped
}

/** What takes no time: everything but the work on steps. */
function instantly({ pending, state }: QuestRecord, steps: NewStep[]): RunEvent | null {
  for (const [effect, asked] of Object.entries(pending)) {
    if (asked.do === 'open-branch')
      return { type: 'branch-opened', effect, base: { commit: BASE, tree: BASE }, notes: [] }
    if (asked.do === 'run-ward')
      return { type: 'warded', effect, iteration: 0, step: asked.step, outcome: wardOf('green') }
    if (asked.do === 'merge-task') {
      const outcome = { result: 'merged' as const, tip: commitOf(asked.merge), tree: null, ward: null, report: null }
      return { type: 'task-merged', effect, task: asked.task, outcome }
    }
    if (asked.do !== 'run-child') continue
    const session = sessionNamed(state, asked.child)
    if (steps.some(({ id }) => id === session.step)) continue
    if (state.requirements === null) return { type: 'requirements-set', n: session.n, text: text(3), ids: [] }
    if (session.step === 'plan' && state.steps.length === 0) return { type: 'steps-set', n: session.n, steps, drop: [] }
    const parts = role(effect, session)
    return session.signal ? parts[1]! : parts[0]!
  }
  return null
}

function role(effect: string, { n }: QuestSession): [RunEvent, RunEvent] {
  return [
    { type: 'signalled', n, signal: 'complete', text: text(9), target: null, resume: false },
    roleEnd(effect, n, ended({ commit: commitOf(n) })),
  ]
}

/** List scheduling with the same priority, written down by itself: the longest chain behind it, then the order. */
export function listMakespan({ steps, slots, tookMs }: Graph): number {
  const order = new Map(steps.map(({ id }, n) => [id, n]))
  const behind = new Map<string, number>()
  for (const { id } of steps.toReversed()) {
    const waiting = steps.filter(({ dependsOn }) => dependsOn.includes(id))
    behind.set(id, waiting.length ? 1 + Math.max(...waiting.map(other => behind.get(other.id)!)) : 0)
  }
  const done = new Set<string>()
  const coded = new Set<string>()
  let busy: { id: string; until: number }[] = []
  let now = 0
  /** Every slot that is free takes something, but not what is just being checked or merged. */
  const fill = (besides: string | null) => {
    const isReady = ({ id, dependsOn }: NewStep) =>
      id !== besides && !done.has(id) && !busy.some(one => one.id === id) && dependsOn.every(other => done.has(other))
    const ready = steps
      .filter(isReady)
      .sort((a, b) => behind.get(b.id)! - behind.get(a.id)! || order.get(a.id)! - order.get(b.id)!)
    for (const { id } of ready.slice(0, slots - busy.length)) {
      const { codeweaver, siegemaster } = tookMs.get(id)!
      busy.push({ id, until: now + (coded.has(id) ? siegemaster : codeweaver) })
    }
  }
  fill(null)
  while (done.size < steps.length) {
    // One after the other, and of those that end together the one that began first.
    const first = busy.reduce((a, b) => (b.until < a.until ? b : a))
    now = first.until
    busy = busy.filter(one => one !== first)
    fill(first.id)
    if (coded.has(first.id)) done.add(first.id)
    else coded.add(first.id)
    fill(null)
  }
  return now
}
