import { RESERVED_IDS, type StepId } from '../../contract/ids.ts'
import type { NewStep } from '../../contract/quest.ts'
import { newWork, type QuestRun, type Work } from './quest-state.ts'

/** What somebody wants the plan to be: steps that are added or written anew, and steps that shall go. */
export type PlanChange = { steps: NewStep[]; drop: StepId[] }

// Every state of a quest carries all of them. Ten thousand are decided about in milliseconds; nobody plans more.
const MOST_STEPS = 10_000

/**
 * Why a plan cannot be taken, in the words of whoever may mend it; null: it can. `about`: the step that waits for a
 * new plan, which may be changed although it has begun.
 */
export function refusalOfPlan(state: QuestRun, change: PlanChange, about: StepId | null): string | null {
  return (
    refusedIds(state, change) ??
    refusedBegun(state, change, about) ??
    refusedRequirements(state, change) ??
    refusedDependencies(planned(state, change))
  )
}

/** The plan as it would be: id and dependencies of every step that is left. */
function planned({ steps }: QuestRun, change: PlanChange): Map<string, StepId[]> {
  const gone = new Set(change.drop.map(fold))
  const plan = new Map<string, StepId[]>()
  for (const { id, dependsOn, state } of steps) {
    // Nobody will ever do what was left out, so nothing can wait for it.
    if (state !== 'dropped' && state !== 'skipped' && !gone.has(fold(id))) plan.set(id, dependsOn)
  }
  for (const { id, dependsOn } of change.steps) plan.set(id, dependsOn)
  return plan
}

const fold = (id: StepId) => id.toLowerCase()

function refusedIds({ steps }: QuestRun, { steps: wanted, drop }: PlanChange): string | null {
  const known = new Map(steps.map(({ id }) => [fold(id), id]))
  const seen = new Map<string, string>()
  for (const { id } of wanted) {
    if (RESERVED_IDS.has(fold(id))) return `"${id}" is a reserved word and no id of a step; name it otherwise`
    const twice = seen.get(fold(id))
    if (twice !== undefined)
      return `the id ${id} is there twice${twice === id ? '' : ` (also as ${twice}; case does not tell them apart)`}; every step has an id of its own`
    seen.set(fold(id), id)
    const other = known.get(fold(id))
    if (other !== undefined && other !== id)
      return `there is a step ${other} already, and case does not tell ${id} from it; write it anew as ${other}, or take another id`
  }
  for (const id of drop) {
    if (!known.has(fold(id))) return `there is no step ${id} that could be dropped`
    if (seen.has(fold(id))) return `step ${id} is both written and dropped; leave it out of one of them`
  }
  if (steps.length + wanted.length > MOST_STEPS) return `a plan has at most ${MOST_STEPS} steps`
  return null
}

function refusedBegun({ steps }: QuestRun, change: PlanChange, about: StepId | null): string | null {
  const touched = new Set([...change.drop, ...change.steps.map(({ id }) => id)].map(fold))
  const begun = steps.find(({ id, state }) => touched.has(fold(id)) && state !== 'pending' && id !== about)
  if (!begun) return null
  if (begun.state === 'dropped') return `step ${begun.id} was dropped, and an id is never used again; take another one`
  return `step ${begun.id} has begun (${begun.state}) and cannot be changed any more; write a new step for what is left to do`
}

function refusedRequirements({ requirements }: QuestRun, { steps }: PlanChange): string | null {
  const known = new Set(requirements?.ids ?? [])
  for (const { id, requirements: named } of steps) {
    const unknown = named.find(one => !known.has(one))
    if (unknown === undefined) continue
    const there = known.size ? `those that there are: ${[...known].slice(0, 50).join(', ')}` : 'there are none'
    return `step ${id} names the requirement ${unknown}, which does not exist; ${there}`
  }
  return null
}

function refusedDependencies(plan: Map<string, StepId[]>): string | null {
  for (const [id, dependsOn] of plan) {
    const missing = dependsOn.find(other => !plan.has(other))
    if (missing !== undefined)
      return `step ${id} depends on ${missing}, and no step of that id is in the plan (path: ${id} -> ${missing}); add it, or write ${id} anew without it`
  }
  const cycle = cycleIn(plan)
  return cycle && `steps wait on each other: ${cycle.join(' -> ')}; take one of these dependencies out`
}

/** A path that comes back to where it began, or null. Without recursion: a chain may be as long as the plan. */
export function cycleIn(plan: Map<string, readonly StepId[]>): StepId[] | null {
  const done = new Set<StepId>()
  for (const start of plan.keys()) {
    const path: { id: StepId; next: number }[] = done.has(start) ? [] : [{ id: start, next: 0 }]
    const onPath = new Set(path.map(({ id }) => id))
    while (path.length > 0) {
      const top = path.at(-1)!
      const next = plan.get(top.id)?.[top.next]
      top.next += 1
      if (next === undefined) {
        done.add(top.id)
        onPath.delete(top.id)
        path.pop()
      } else if (onPath.has(next)) {
        const ids = path.map(({ id }) => id)
        return [...ids.slice(ids.indexOf(next)), next]
      } else if (!done.has(next)) {
        path.push({ id: next, next: 0 })
        onPath.add(next)
      }
    }
  }
  return null
}

/** The plan with the change in it. What is written anew and has begun keeps its branch and what was learned about it. */
export function replanned(state: QuestRun, { steps: wanted, drop }: PlanChange): QuestRun {
  const gone = new Set(drop.map(fold))
  const anew = new Map(wanted.map(step => [step.id, step]))
  const kept = state.steps.map(work => {
    if (gone.has(fold(work.id))) return { ...work, state: 'dropped' as const, phase: 'done' as const, next: null }
    const step = anew.get(work.id)
    anew.delete(work.id)
    return step ? { ...work, ...step } : work
  })
  return { ...state, steps: ranked([...kept, ...[...anew.values()].map(step => newWork(step, 'code'))]) }
}

/** How many steps wait behind each, along the longest chain. A plan has no cycles; linear in steps and dependencies. */
export function ranked(steps: Work[]): Work[] {
  const live = steps.filter(({ state }) => state !== 'dropped')
  const dependsOn = new Map(live.map(step => [step.id, step.dependsOn]))
  const open = new Map(live.map(({ id }) => [id, 0]))
  for (const step of live) for (const other of step.dependsOn) open.set(other, (open.get(other) ?? 0) + 1)
  const rank = new Map<StepId, number>()
  const free = live.filter(({ id }) => open.get(id) === 0).map(({ id }) => id)
  for (let id = free.pop(); id !== undefined; id = free.pop()) {
    const own = rank.get(id) ?? 0
    for (const other of dependsOn.get(id) ?? []) {
      rank.set(other, Math.max(rank.get(other) ?? 0, own + 1))
      const left = open.get(other)! - 1
      open.set(other, left)
      if (left === 0) free.push(other)
    }
  }
  return steps.map(step => ({ ...step, rank: rank.get(step.id) ?? 0 }))
}

/** A step and everything that cannot be done without it. */
export function withDependents({ steps }: QuestRun, id: StepId): Set<StepId> {
  const behind = new Map<StepId, StepId[]>()
  for (const { id: step, dependsOn } of steps)
    for (const other of dependsOn) {
      const waiting = behind.get(other)
      if (waiting) waiting.push(step)
      else behind.set(other, [step])
    }
  const found = new Set([id])
  // A set gives what is added while it is gone through, too.
  for (const one of found) for (const next of behind.get(one) ?? []) found.add(next)
  return found
}
