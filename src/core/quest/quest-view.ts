import { childId } from '../../contract/ids.ts'
import type { QuestDetail, QuestSessionView, StepView } from '../../contract/quest.ts'
import type { RunSummary } from '../../contract/run.ts'
import { liveOf } from '../parent/parent-state.ts'
import { branchView, parentDetail, parentSummary } from '../parent/parent-view.ts'
import { type FromState, type Iso, roundedUsd } from '../summary.ts'
import { unheardMessages } from './messages.ts'
import {
  allWork,
  childName,
  OVER,
  type QuestRun,
  type QuestSession,
  sessionNumbered,
  type Work,
} from './quest-state.ts'
import { heldUpBy } from './slots.ts'

export function questSummary(state: QuestRun, iso: Iso): RunSummary {
  const count = (is: (work: Work) => boolean) => state.steps.filter(is).length
  return parentSummary(state, iso, {
    total: count(work => work.state !== 'dropped'),
    complete: count(work => work.state === 'complete'),
    running: count(work => work.state !== 'pending' && work.state !== 'asking' && !OVER.has(work.state)),
    blocked: count(work => work.state === 'asking' || work.state === 'skipped'),
  })
}

export function questDetail(state: QuestRun, iso: Iso): FromState {
  const detail = parentDetail(state, questSummary(state, iso), progressOf(state), unheardMessages(state))
  return { ...detail, quest: questView(state, iso) }
}

/** Without its words: they are beside the journal. */
export function questView(state: QuestRun, iso: Iso): QuestDetail {
  const slots = Array.from({ length: state.quest.slots }, () => null as string | null)
  for (const { slot, step } of liveOf(state)) if (slot !== null) slots[slot - 1] = step
  return {
    version: 1,
    directory: state.loop.directory,
    phase: phaseOf(state),
    request: '',
    approvePlan: state.quest.approvePlan,
    requirements: [],
    steps: state.steps.map(work => stepView(state, work)),
    errands: state.errands.map(work => stepView(state, work)),
    sessions: state.children.map(session => sessionView(state, session, iso)),
    questions: [],
    wards: state.wards.map(({ step, on, at, outcome }) => ({
      step,
      on,
      at: iso(at),
      result: outcome.result,
      failing: outcome.failing.length,
      cached: outcome.cached,
      tampered: outcome.tampered,
    })),
    costByRole: costByRole(state),
    maxCostUsd: state.spec.maxCostUsd,
    slots,
    ...branchView(state),
    waitsUntil: state.limit.untilMs === null || state.endedAt !== null ? null : iso(state.limit.untilMs),
    waits: state.status === 'active' ? [] : whoWaits(state),
  }
}

function phaseOf({ phase, endedAt, errands }: QuestRun): string {
  if (endedAt !== null) return 'ended'
  return errands.some(work => work.id === 'review' && work.phase === 'prove') ? 'proving' : phase
}

export function stepView(state: QuestRun, work: Work): StepView {
  const session = work.session === null ? undefined : sessionNumbered(state, work.session)
  const isWorking = session?.isLive === true && work.state === 'working'
  const own = state.children.filter(({ step }) => step === work.id)
  const isErrand = state.errands.includes(work)
  return {
    id: work.id,
    title: isErrand ? work.id : '',
    text: '',
    files: [],
    dependsOn: work.dependsOn,
    requirements: work.requirements,
    status: work.state,
    phase: work.phase,
    role: isWorking ? session.role : (work.next?.role ?? null),
    slot: isWorking ? session.slot : null,
    attempts: work.attempts,
    branch: work.commit === null || work.state === 'complete' ? null : `rehoboam-work/${state.id}/${work.id}`,
    commit: work.commit,
    waitsOn: waitsOn(state, work),
    chain: work.chain.map(({ role, resume }) => ({ role, resume })),
    reds: work.reds,
    costUsd: roundedUsd(own.reduce((sum, { costUsd }) => sum + costUsd, 0)),
  }
}

/** Ids of steps, or words. */
export function waitsOn(state: QuestRun, work: Work): string[] {
  switch (work.state) {
    case 'pending': {
      const isOpen = (id: string) => state.steps.some(step => step.id === id && step.state !== 'complete')
      return [...new Set([...work.dependsOn.filter(isOpen), ...heldUpBy(state, work)])]
    }
    case 'ready': {
      const others = heldUpBy(state, work)
      return others.length ? others : [state.limit.untilMs === null ? 'a slot' : 'the limit of the account']
    }
    case 'asking':
      return ['a person']
    case 'warding':
      return ['the checks']
    case 'queued':
      return ['the merge of others']
    case 'resplit':
      return ['a new plan']
    default:
      return []
  }
}

/** Who waits on what, in sentences: for when nothing runs. */
export function whoWaits(state: QuestRun): string[] {
  const waiting = allWork(state).map(work => ({ id: work.id, on: waitsOn(state, work) }))
  return waiting.filter(({ on }) => on.length > 0).map(({ id, on }) => `${id} waits for ${on.join(', ')}`)
}

function sessionView(state: QuestRun, session: QuestSession, iso: Iso): QuestSessionView {
  const { n, id, role, step, startedAt, endedAt, costUsd, status, cause, signal, isLive } = session
  const how = signal?.signal ?? (isLive ? status : (cause ?? status))
  const run = childId(state.id, childName(n))
  const time = { startedAt: iso(startedAt), endedAt: endedAt === null ? null : iso(endedAt) }
  return { id: id ?? '', run, role, step, ...time, costUsd: roundedUsd(costUsd), how }
}

function costByRole({ children }: QuestRun): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { role, costUsd } of children) sums[role] = roundedUsd((sums[role] ?? 0) + costUsd)
  return sums
}

const PHASES: Record<string, string> = {
  opening: 'its branch is being made',
  basing: 'the checks run on what was there before it',
  requirements: 'the requirements are being written',
  planning: 'the plan is being made',
  approval: 'the plan waits for approval',
  working: 'steps are being done',
  reviewing: 'the whole is being reviewed',
  proving: 'the checks run on the whole',
  ended: 'has ended',
}

/** Where it stands, for a person. */
function progressOf(state: QuestRun): string {
  const steps = state.steps.filter(work => work.state !== 'dropped')
  const over = steps.filter(work => work.state === 'complete').length
  const progress = steps.length ? `, ${over} of ${steps.length} steps are in` : ''
  return `${PHASES[phaseOf(state)]}${progress}`
}
