import { RehoboamError } from '../../contract/errors.ts'
import type { PlanRequest } from '../../contract/quest.ts'
import { ENDED } from '../../contract/run.ts'
import { refusalOfPlan, withDependents } from '../../core/quest/plan.ts'
import { mayRetry, maySkip, workNamed } from '../../core/quest/quest-by-hand.ts'
import { OVER, type QuestRun } from '../../core/quest/quest-state.ts'
import type { RunRecord } from '../../core/run/advance.ts'
import type { Texts } from '../../ports.ts'
import type { Run } from '../runtime/live-run.ts'
import { newSteps } from './answer-quest-tools.ts'

/** What people ask of a quest. Each becomes one event in its mailbox, or is refused there with a sentence. */

export async function retryStep(run: Run, id: string): Promise<void> {
  await run.post(record => {
    const state = liveQuest(record)
    const work = workNamed(state, id)
    mayRetry(state, work)
    return { type: 'step-retried', step: work.id }
  })
}

/** Gives what was left out: the step, and what cannot be done without it. */
export async function skipStep(run: Run, id: string): Promise<string[]> {
  let skipped: string[] = []
  await run.post(record => {
    const state = liveQuest(record)
    const work = workNamed(state, id)
    maySkip(state, work)
    const gone = withDependents(state, work.id)
    skipped = state.steps.filter(step => gone.has(step.id) && !OVER.has(step.state)).map(step => step.id)
    return { type: 'step-skipped', step: work.id }
  })
  return skipped
}

export async function approvePlan(run: Run, texts: Texts): Promise<void> {
  const text = await texts.put('The plan is approved.')
  await run.post(record => {
    const state = liveQuest(record)
    const plan = state.errands.find(({ id }) => id === 'plan')
    if (plan?.question?.kind === 'plan') return { type: 'answered', text, task: 'plan', allow: true }
    throw new RehoboamError('already', `no plan of run ${run.id} waits for approval; rehoboam show ${run.id}`)
  })
}

/** As an agent's `set-steps`, by a person. */
export async function editPlan(run: Run, texts: Texts, request: PlanRequest): Promise<void> {
  liveQuest(run.record)
  const change = { steps: await newSteps(texts, request), drop: request.drop }
  await run.post(record => {
    const why = refusalOfPlan(liveQuest(record), change, null)
    if (why !== null) throw new RehoboamError('plan-refused', `the plan stays as it is: ${why}`)
    return { type: 'steps-set', n: null, ...change }
  })
}

function liveQuest({ state }: RunRecord): QuestRun {
  if (state.kind !== 'quest') throw new RehoboamError('usage', `run ${state.id} is a ${state.kind} and has no steps`)
  if (!ENDED.has(state.status)) return state
  throw new RehoboamError(
    'run-ended',
    `run ${state.id} has ended (${state.status}); rehoboam resume ${state.id} goes on`,
  )
}
