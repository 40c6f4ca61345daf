import { describe, expect, test } from 'vitest'
import type { RunEvent } from '../../src/contract/event.ts'
import type { NewStep } from '../../src/contract/quest.ts'
import { fileSigns, shareFiles } from '../../src/core/parent/files-named.ts'
import { liveOf } from '../../src/core/parent/parent-state.ts'
import { cycleIn, refusalOfPlan } from '../../src/core/quest/plan.ts'
import { type QuestRun, sessionNamed } from '../../src/core/quest/quest-state.ts'
import { hear } from '../../src/core/quest/signals.ts'
import fc from '../support/laws.ts'
import { created, ended, post, type QuestRecord, roleChange, roleEnd, step } from './quest-world.ts'
import { commitOf, text, wardOf } from './run-world.ts'

/** Any graph of steps, each depending on some before it, some with the same files. */
const graph = fc
  .array(fc.record({ before: fc.array(fc.nat({ max: 11 }), { maxLength: 3 }), file: fc.nat({ max: 5 }) }), {
    minLength: 1,
    maxLength: 12,
  })
  .map(nodes =>
    nodes.map(({ before, file }, n): NewStep => {
      const dependsOn = [...new Set(before.filter(other => other < n).map(other => `s${other}`))]
      return step(`s${n}`, dependsOn, file < 3 ? fileSigns([`f${file}.ts`]) : [])
    }),
  )

type Seen = { record: QuestRecord; events: RunEvent[] }

/** One thing after the other, chosen by a row of numbers; when they are used up all goes well. */
function live(steps: NewStep[], slots: number, choices: number[], each: (seen: QuestRecord) => void): Seen {
  let record = post(null, created({ slots })).record
  const events: RunEvent[] = [created({ slots })]
  const left = [...choices]
  for (let n = 0; n < 3_000; n++) {
    const event = nextEvent(record, steps, () => left.shift() ?? null)
    if (!event) return { record, events }
    events.push(event)
    record = post(record, event).record
    each(record)
  }
  throw new Error('it does not come to rest')
}

function nextEvent({ state, pending }: QuestRecord, steps: NewStep[], choose: () => number | null): RunEvent | null {
  const open = Object.entries(pending).filter(([, effect]) => effect.do !== 'set-timer' || effect.name === 'limit-wait')
  const asking = [...state.errands, ...state.steps].find(work => work.state === 'asking')
  if (open.length === 0) return asking ? { type: 'answered', text: text(7), task: asking.id, allow: true } : null
  const [effect, asked] = open[(choose() ?? 0) % open.length]!
  switch (asked.do) {
    case 'open-branch':
      return { type: 'branch-opened', effect, base: { commit: commitOf(1), tree: commitOf(1) }, notes: [] }
    case 'run-ward':
      return {
        type: 'warded',
        effect,
        iteration: 0,
        step: asked.step,
        outcome: wardOf((choose() ?? 9) % 4 === 0 ? 'red' : 'green'),
      }
    case 'merge-task': {
      const result = ({ 0: 'red', 1: 'conflict' } as const)[(choose() ?? 9) % 6] ?? 'merged'
      const tip = result === 'merged' ? commitOf(asked.merge + 100) : asked.tip
      return {
        type: 'task-merged',
        effect,
        task: asked.task,
        outcome: { result, tip, tree: null, ward: null, report: null },
      }
    }
    case 'tell-children':
      return { type: 'children-told', effect }
    case 'set-timer':
      return { type: 'timer-fired', effect, timer: asked.name }
    case 'run-child':
      return ofRole(state, effect, sessionNamed(state, asked.child).n, steps, choose)
    default:
      return null
  }
}

function ofRole(state: QuestRun, effect: string, n: number, steps: NewStep[], choose: () => number | null): RunEvent {
  const { role, step: stepId, signal: heard, status } = state.children[n - 1]!
  const outcome = (cause: 'finished' | 'crashed' | 'limit' | 'stuck') =>
    ended({ status: cause === 'finished' ? 'complete' : 'failed', cause, commit: commitOf(n + 500) })
  // Its process is gone before what it left is committed, or that is said at once.
  if (heard && status === 'active' && (choose() ?? 0) % 2 === 0) return roleChange(effect, n, ended())
  if (heard) return roleEnd(effect, n, outcome('finished'))
  if (state.requirements === null) return { type: 'requirements-set', n, text: text(3), ids: [] }
  if (role === 'pathseeker' && state.steps.length === 0) return { type: 'steps-set', n, steps, drop: [] }
  const choice = choose()
  if (choice !== null && choice % 7 === 0) {
    return roleEnd(effect, n, outcome((['crashed', 'limit', 'stuck'] as const)[choice % 3]!))
  }
  const kind = (['complete', 'partially-complete', 'needs-user-input', 'needs-role-followup'] as const)[
    (choice ?? 0) % 4
  ]!
  const target =
    kind === 'needs-role-followup' ? (['codeweaver', 'spiritmender', 'siegemaster'][(choice ?? 0) % 3] ?? null) : null
  const said = { signal: kind, text: text(9), target, resume: (choice ?? 0) % 2 === 0 }
  const isTaken = hear(state, n, { ...said, stepId }).is === 'new'
  const plain = { signal: 'complete' as const, text: text(9), target: null, resume: false }
  return { type: 'signalled', n, ...(isTaken ? said : plain) }
}

const choices = fc.array(fc.nat({ max: 10_000 }), { maxLength: 120 })
const slots = fc.integer({ min: 1, max: 4 })

describe('laws of quests [quest-laws]', () => {
  test('dependencies hold, slots are never more than N, files are never shared, and every step is merged once', () => {
    fc.assert(
      fc.property(graph, slots, choices, (steps, most, row) => {
        const merged: string[] = []
        const { record } = live(steps, most, row, seen => obeys(seen, most, merged))
        expect(record.state).toMatchObject({ status: 'complete', cause: 'merged' })
        expect(merged.filter(id => id !== 'review').sort()).toEqual(steps.map(({ id }) => id).sort())
      }),
      { numRuns: 150 },
    )
  })
})

/** What holds after every event. `merged` collects. */
function obeys({ state, pending }: QuestRecord, slots: number, merged: string[]): void {
  const live = liveOf(state)
  const taken = live.flatMap(({ slot }) => slot ?? [])
  if (taken.length > slots) throw new Error(`${taken.length} slots are busy of ${slots}`)
  if (new Set(taken).size < taken.length) throw new Error('two sessions in one slot')
  if (new Set(live.map(({ step: id }) => id)).size < live.length) throw new Error('two sessions on one step')
  const complete = new Set(state.steps.filter(work => work.state === 'complete').map(({ id }) => id))
  for (const work of state.steps) {
    if (work.state === 'complete' && !merged.includes(work.id)) merged.push(work.id)
    const isBegun = work.state !== 'pending'
    if (isBegun && !work.dependsOn.every(id => complete.has(id))) throw new Error(`${work.id} began too early`)
  }
  const busy = live.flatMap(({ step: id }) => state.steps.filter(work => work.id === id))
  for (const one of busy)
    for (const other of busy)
      if (one !== other && shareFiles(one.files, other.files)) throw new Error('two steps on one file')
  if (Object.values(pending).filter(effect => effect.do === 'merge-task').length > 1)
    throw new Error('two merges at once')
}

describe('plans are checked when they are written [quest-plan-checks]', () => {
  const state = post(null, created()).record.state
  const why = (steps: NewStep[], drop: string[] = []) => refusalOfPlan(state, { steps, drop }, null)

  test('what is wrong is refused with the path', () => {
    expect(why([step('a'), step('A')])).toMatch(/the id A is there twice \(also as a/)
    expect(why([step('plan')])).toMatch(/"plan" is a reserved word/)
    expect(why([step('a', ['x'])])).toMatch(/a depends on x, .*\(path: a -> x\)/)
    expect(why([step('a', ['c']), step('b', ['a']), step('c', ['b'])])).toMatch(/a -> c -> b -> a/)
    expect(why([step('a', ['a'])])).toMatch(/a -> a/)
    expect(why([step('a')], ['b'])).toMatch(/no step b that could be dropped/)
    expect(why([{ ...step('a'), requirements: ['r'] }])).toMatch(/the requirement r, which does not exist/)
    expect(why([step('a'), step('b', ['a'])])).toBeNull()
  })

  test('a graph has a cycle exactly when one is found, and what is found is one', () => {
    const edges = fc.array(fc.tuple(fc.nat({ max: 7 }), fc.nat({ max: 7 })), { maxLength: 20 })
    fc.assert(
      fc.property(edges, pairs => {
        const plan = new Map(Array.from({ length: 8 }, (_, n) => [`${n}`, [] as string[]]))
        for (const [from, other] of pairs) plan.get(`${from}`)!.push(`${other}`)
        const cycle = cycleIn(plan)
        if (cycle) for (const [n, id] of cycle.slice(0, -1).entries()) expect(plan.get(id)).toContain(cycle[n + 1])
        expect(cycle === null).toBe(canBeOrdered(plan))
      }),
    )
  })
})

function canBeOrdered(plan: Map<string, string[]>): boolean {
  const left = new Map(plan)
  for (let more = true; more; ) {
    more = false
    for (const [id, dependsOn] of left) {
      if (dependsOn.some(other => left.has(other))) continue
      left.delete(id)
      more = true
    }
  }
  return left.size === 0
}
