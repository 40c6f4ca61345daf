import type { AgentFacts } from './facts.ts'

/**
 * Hooks of one session run side by side, each a process of its own: on a busy machine they are heard in any order. So what
 * changed an agent lately is kept, with what was known before all of it, and a hook that was overtaken takes its place among the
 * others: what is known then is what would be known had it come in time.
 */
export type Course = { facts: AgentFacts; before: AgentFacts; lately: Step[] }
type Change = (facts: AgentFacts) => AgentFacts
type Step = { at: number; heardAt: number; change: Change }

// A client ends a hook that it does not wait for after ten seconds. Shorter: a late one undoes what came after it. Longer: a
// clock that was set back silences an agent for that long.
export const LATE_MS = 15_000
// More than ten a second in all that time. Beyond it the oldest stay as they are: a flood must not cost memory.
const KEPT = 200

export function newCourse(facts: AgentFacts): Course {
  return { facts, before: facts, lately: [] }
}

/** True when what began at `at` is late, and must not undo what began at `later`. */
export function isOvertaken(at: number, later: number): boolean {
  return later > at && later - at <= LATE_MS
}

/** A change that was heard of: it counts from when it began, unless that is so long ago that a clock must be wrong. */
export function heard(course: Course, at: number, now: number, change: Change): Course {
  const known = forgotten(course, now)
  const newest = known.lately.at(-1)?.at ?? at
  return happened(known, isOvertaken(at, newest) ? at : Math.max(at, newest), now, change)
}

/** A change in its place by when it happened. It may be made again, after another that comes late. */
export function happened(course: Course, at: number, now: number, change: Change): Course {
  const known = forgotten(course, now)
  const place = known.lately.findLastIndex(step => step.at <= at) + 1
  const lately = known.lately.toSpliced(place, 0, { at, heardAt: now, change })
  const facts = place < known.lately.length ? made(known.before, lately) : change(known.facts)
  return without({ ...known, facts, lately }, lately.length - KEPT)
}

/**
 * What is read at once, in its order. Most of a long transcript is of before all that is kept, and nothing comes before it any
 * more: it is not kept, and what is kept is made again once. Line by line, an hour's transcript would hold up everybody.
 */
export function happenedAll(course: Course, changes: { at: number; change: Change }[], now: number): Course {
  const known = forgotten(course, now)
  const first = known.lately[0]?.at ?? now
  const isPast = ({ at }: { at: number }) => at < first && now - at > LATE_MS
  const past = changes.slice(0, changes.findLastIndex(isPast) + 1)
  const before = made(known.before, past)
  const settled = past.length === 0 ? known : { ...known, before, facts: made(before, known.lately) }
  return changes.slice(past.length).reduce((all, { at, change }) => happened(all, at, now, change), settled)
}

function made(before: AgentFacts, changes: { change: Change }[]): AgentFacts {
  return changes.reduce((facts, { change }) => change(facts), before)
}

/** Without what was heard too long ago for anything to come before it, or by a clock that has been set back since. */
export function forgotten(course: Course, now: number): Course {
  const isKept = ({ heardAt }: Step) => heardAt <= now && now - heardAt <= LATE_MS
  const first = course.lately.findIndex(isKept)
  return without(course, first < 0 ? course.lately.length : first)
}

/** The oldest of them stay as they are. */
function without(course: Course, oldest: number): Course {
  const { facts, before, lately } = course
  if (oldest <= 0) return course
  if (oldest === lately.length) return newCourse(facts)
  return { facts, before: made(before, lately.slice(0, oldest)), lately: lately.slice(oldest) }
}
