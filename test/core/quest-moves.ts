import type { RunEvent } from '../../src/contract/event.ts'
import type { NewStep } from '../../src/contract/quest.ts'
import { FOLLOW_UP_ROLES, SIGNAL_KINDS } from '../../src/contract/quest-tools.ts'
import type { Effect } from '../../src/core/effect.ts'
import { liveOf } from '../../src/core/parent/parent-state.ts'
import { mayRetry, maySkip } from '../../src/core/quest/quest-by-hand.ts'
import { allWork, childName, OVER, type QuestRun, sessionNamed, type Work } from '../../src/core/quest/quest-state.ts'
import { hear } from '../../src/core/quest/signals.ts'
import fc from '../support/laws.ts'
import type { Kind } from './lives.ts'
import { created, ended, type QuestChange, type QuestRecord, roleChange, roleEnd, step } from './quest-world.ts'
import { branchOpened, commitOf, environment, text, wardOf } from './run-world.ts'

// Counters count to 2 here: what happens at their ends is in the tests of the flow. A chain of callers is a counter too.
export const CAP = 2

const PLAN = [step('a'), step('b', ['a']), step('c')]

const specs = fc.record<QuestChange>({
  slots: fc.integer({ min: 1, max: 3 }),
  approvePlan: fc.boolean(),
  ward: fc.constantFrom(null, text(2)),
  maxCostUsd: fc.constantFrom(null, 4),
  maxTimeMs: fc.constantFrom(null, 60_000),
  noQuestions: fc.boolean(),
})

export const questKind: Kind<QuestRun> = { kind: 'quest', starts: specs.map(created), moves: movesIn }

/** Everything that can happen now: outcomes of what was asked for, what sessions say, and what people do. */
function movesIn(record: QuestRecord): RunEvent[] {
  const { state, pending } = record
  const outcomes = Object.entries(pending).flatMap(([key, effect]) => outcomesOf(state, key, effect, PLAN))
  const told = Object.entries(pending).flatMap(([effect, { do: asked }]): RunEvent[] =>
    asked === 'tell-children' ? [{ type: 'children-told', effect }] : [],
  )
  const people: RunEvent[] = [
    { type: 'cancel-requested' },
    { type: 'pause-requested' },
    { type: 'reject-requested' },
    { type: 'told', text: text(7) },
    { type: 'clock-stopped' },
    { type: 'clock-started' },
    { type: 'resume-requested', text: null, environment },
    { type: 'resume-requested', text: text(8), environment },
  ]
  // Three times, because otherwise a life of chance hardly comes to a plan.
  return [...outcomes, ...outcomes, ...outcomes, ...told, ...changesOf(record), ...byHandIn(state), ...people]
}

/** What live sessions say of themselves. */
function changesOf({ state, pending }: QuestRecord): RunEvent[] {
  return liveOf(state).flatMap(({ n, name }) => {
    const [effect] = Object.entries(pending).find(([, asked]) => asked.do === 'run-child' && asked.child === name)!
    return [
      { type: 'child-started', effect, child: name, session: '33333333-3333-4333-8333-333333333333' } as const,
      roleChange(effect, n, { status: 'active', cause: null }),
      roleChange(effect, n, { status: 'paused', cause: 'paused-by-user' }),
      roleChange(effect, n, { status: 'blocked', cause: 'waits-for-person' }),
    ]
  })
}

/** What people do with steps: answer, try again, leave out. */
export function byHandIn(state: QuestRun): RunEvent[] {
  const asking = allWork(state).filter(work => work.state === 'asking')
  const answers = asking.flatMap(({ id }): RunEvent[] =>
    [true, false].map(allow => ({ type: 'answered', text: text(7), task: id, allow })),
  )
  const steps = state.steps.flatMap((work): RunEvent[] => [
    // What was left out and comes back is pending again, which it was before.
    ...(work.state !== 'skipped' && may(() => mayRetry(state, work))
      ? [{ type: 'step-retried' as const, step: work.id }]
      : []),
    ...(may(() => maySkip(state, work)) ? [{ type: 'step-skipped' as const, step: work.id }] : []),
  ])
  return [...answers, ...steps]
}

/** Whether nothing refuses it. */
export function may(check: () => void): boolean {
  try {
    check()
    return true
  } catch {
    return false
  }
}

/** Everything that an effect may come to. `plan`: the steps that a first plan has. */
export function outcomesOf(state: QuestRun, effect: string, asked: Effect, plan = [step('a')]): RunEvent[] {
  const results = ['green', 'red', 'could-not-run'] as const
  switch (asked.do) {
    case 'open-branch':
      return [branchOpened(effect)]
    case 'run-ward':
      return results.map(result => ({
        type: 'warded',
        effect,
        iteration: 0,
        step: asked.step,
        outcome: wardOf(result),
      }))
    case 'set-timer':
      return [{ type: 'timer-fired', effect, timer: asked.name }]
    case 'merge-task':
      return (['merged', 'red', 'conflict', 'could-not-run'] as const).map(result => {
        const outcome = { result, tip: commitOf(2), tree: null, ward: null, report: text(8) }
        return { type: 'task-merged', effect, task: asked.task, outcome }
      })
    case 'run-child':
      return roleOutcomes(state, effect, sessionNamed(state, asked.child).n, plan)
    default:
      return []
  }
}

function roleOutcomes(state: QuestRun, effect: string, n: number, plan: NewStep[]): RunEvent[] {
  const session = state.children[n - 1]!
  if (state.wish !== null) return [endOf(effect, n, 'cancelled')]
  if (session.status === 'paused') return []
  if (state.requirements === null) return [{ type: 'requirements-set', n, text: text(3), ids: [] }]
  if (session.role === 'pathseeker' && state.steps.length === 0)
    return [{ type: 'steps-set', n, steps: plan, drop: [] }]
  const child = childName(n)
  const notStarted: RunEvent = { type: 'child-not-started', effect, child, cause: 'not-started', why: text(6) }
  const cut = (['crashed', 'stuck'] as const).map(cause => endOf(effect, n, cause))
  // A limit is waited for and changes nothing else: in a chain it is what it is before one.
  const isInChain = allWork(state).some(work => work.id === session.step && work.chain.length > 0)
  return [...signalsOf(state, n), ...cut, ...(isInChain ? [] : [endOf(effect, n, 'limit')]), notStarted]
}

/** The end of session `n`. */
export function endOf(
  effect: string,
  n: number,
  cause: 'finished' | 'crashed' | 'stuck' | 'limit' | 'cancelled',
): RunEvent {
  const status = cause === 'finished' ? 'complete' : cause === 'cancelled' ? cause : 'failed'
  return roleEnd(effect, n, ended({ status, cause, costUsd: 0, iteration: 0, commit: commitOf(3) }))
}

function signalsOf(state: QuestRun, n: number): RunEvent[] {
  const { step: stepId } = state.children[n - 1]!
  const work = allWork(state).find(({ id }) => id === stepId)!
  return SIGNAL_KINDS.flatMap((signal): RunEvent[] => {
    const isFollowUp = signal === 'needs-role-followup'
    // Beside a new plan that it does not wait for, a step does what it does without one.
    if (isFollowUp && work.chain.length >= (isBesidePlan(state, work) ? 0 : CAP)) return []
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

function isBesidePlan({ errands, steps }: QuestRun, work: Work): boolean {
  return steps.includes(work) && errands.some(({ id, state }) => id === 'plan' && !OVER.has(state))
}
