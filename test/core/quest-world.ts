import type { RunEvent } from '../../src/contract/event.ts'
import type { LoopSpec } from '../../src/contract/loop.ts'
import type { ChildOutcome, MergeOutcome } from '../../src/contract/pool.ts'
import type { NewStep, QuestSpec, RoleSpec } from '../../src/contract/quest.ts'
import { QUEST_ROLES, type QuestRole, SIGNAL_KINDS, type SignalKind } from '../../src/contract/quest-tools.ts'
import type { Effect, EffectOf } from '../../src/core/effect.ts'
import { childName, type QuestRun, type QuestSession, sessionNamed } from '../../src/core/quest/quest-state.ts'
import type { RunRecord } from '../../src/core/run/advance.ts'
import {
  branchOpened,
  commitOf,
  type Limits,
  loopSpec,
  nextAnswer,
  type Post,
  playFrom,
  postEvent,
  runCreated,
  taskMerged,
  text,
  wardOf,
} from './run-world.ts'

export type QuestRecord = RunRecord<QuestRun>

/** The outside of a quest as tests play it. */

/** As the table of roles has it. */
export const MAY_SIGNAL: Record<QuestRole, readonly SignalKind[]> = {
  chaoswhisperer: ['complete', 'needs-user-input'],
  pathseeker: SIGNAL_KINDS,
  codeweaver: SIGNAL_KINDS,
  siegemaster: ['complete', 'partially-complete', 'needs-role-followup'],
  lawbringer: ['complete', 'needs-role-followup'],
  spiritmender: SIGNAL_KINDS,
}
export const roles: RoleSpec[] = QUEST_ROLES.map(name => ({
  name,
  prompt: text(5),
  model: null,
  effort: null,
  tools: [],
  driver: null,
  maySignal: [...MAY_SIGNAL[name]],
  changes:
    name === 'siegemaster' ? 'tests' : name === 'codeweaver' || name === 'spiritmender' ? 'everything' : 'nothing',
}))

export type QuestChange = Partial<Pick<LoopSpec, 'ward'> & QuestSpec> & Limits

export function created(change: QuestChange = {}): RunEvent {
  const { maxCostUsd = null, maxTimeMs = null, noQuestions = false, ward = text(2), ...quest } = change
  const made = { slots: 3, approvePlan: false, roles, testFiles: [], ...quest }
  return runCreated({ kind: 'quest', loop: { ...loopSpec, ward }, quest: made }, { maxCostUsd, maxTimeMs, noQuestions })
}

export const post: Post<QuestRun> = postEvent

export function step(id: string, dependsOn: string[] = [], files: string[] = []): NewStep {
  return { id, text: text(900), files, dependsOn, requirements: [] }
}

export const ended = (change: Partial<ChildOutcome> = {}): ChildOutcome => ({
  status: 'complete',
  cause: 'finished',
  iteration: 1,
  costUsd: 0.5,
  commit: null,
  limitResetsAt: null,
  heard: [],
  notes: [],
  ...change,
})

/** The end of session `n`. */
export function roleEnd(effect: string, n: number, outcome: ChildOutcome = ended()): RunEvent {
  return { type: 'child-ended', effect, child: childName(n), outcome }
}

/** What session `n` says of itself while it lives. */
export function roleChange(
  effect: string,
  n: number,
  { status, cause }: Pick<ChildOutcome, 'status' | 'cause'>,
): RunEvent {
  return { type: 'child-changed', effect, child: childName(n), status, cause, iteration: 1, costUsd: 0 }
}

export type Saying = { signal: SignalKind; target?: string; resume?: boolean } | { ends: Partial<ChildOutcome> }
export const to = (target: string, resume: boolean): Saying => ({ signal: 'needs-role-followup', target, resume })
export const part: Saying = { signal: 'partially-complete' }
export const asks: Saying = { signal: 'needs-user-input' }

/** How each thing goes, where it differs from going well. Lists are used up, one for each time. */
export type QuestPlay = {
  plans?: { steps: NewStep[]; drop?: string[] }[]
  /** By `role step`. */
  says?: Record<string, Saying[]>
  wards?: Record<string, ('green' | 'red' | 'could-not-run')[]>
  merges?: Record<string, Partial<MergeOutcome>[]>
  /** Questions are answered: allowed, or with words. */
  answers?: boolean
}

/** Plays until it rests. What is pending is answered in the order in which it was asked for. */
export function play(
  from: QuestRecord,
  given: QuestPlay,
  most = 5_000,
  isFar: (record: QuestRecord) => boolean = () => false,
): { record: QuestRecord; log: string[] } {
  const left = structuredClone(given)
  const log: string[] = []
  return { record: playFrom(from, record => nextEvent(record, left, log), { most, isFar }), log }
}

export function playQuest(change: QuestChange, given: QuestPlay) {
  return play(post(null, created(change)).record, given)
}

function nextEvent(record: QuestRecord, left: QuestPlay, log: string[]): RunEvent | null {
  const { state } = record
  const answer = nextAnswer(record, (key, effect) => answerTo(state, key, effect, left, log))
  if (answer) return answer
  const asking = [...state.errands, ...state.steps].find(work => work.state === 'asking')
  if (!asking || !left.answers || state.status !== 'blocked') return null
  log.push(`answered ${asking.id} ${asking.question!.kind}`)
  return { type: 'answered', text: text(77), task: asking.id, allow: true }
}

function answerTo(state: QuestRun, effect: string, asked: Effect, left: QuestPlay, log: string[]): RunEvent | null {
  switch (asked.do) {
    case 'open-branch':
      return branchOpened(effect)
    case 'run-ward': {
      const result = left.wards?.[asked.step ?? 'base']?.shift() ?? 'green'
      log.push(`ward ${asked.step ?? 'base'} ${result}`)
      return { type: 'warded', effect, iteration: 0, step: asked.step, outcome: wardOf(result) }
    }
    case 'tell-children':
      return { type: 'children-told', effect }
    case 'run-child':
      return roleEvent(state, effect, asked, left, log)
    case 'merge-task': {
      const given = left.merges?.[asked.task]?.shift() ?? {}
      log.push(`merge ${asked.task} ${given.result ?? 'merged'}`)
      return taskMerged(effect, asked, state.loop.ward !== null, given)
    }
    case 'set-timer':
      return asked.name === 'limit-wait' ? { type: 'timer-fired', effect, timer: asked.name } : null
    default:
      return null
  }
}

/** One thing after the other: it starts, plans when that is its role, signals, ends. */
function roleEvent(
  state: QuestRun,
  effect: string,
  asked: EffectOf<'run-child'>,
  left: QuestPlay,
  log: string[],
): RunEvent {
  const session = sessionNamed(state, asked.child)
  const { n, role, step: id } = session
  const says = left.says?.[`${role} ${id}`]
  if (session.signal) {
    log.push(`${role} ${id}${session.iteration > 1 ? ' resumed' : ''}`)
    says?.shift()
    return roleEnd(effect, n, ended({ ...commitBy(role, n), iteration: session.iteration }))
  }
  const saying = says?.[0] ?? { signal: 'complete' as const }
  if (role === 'chaoswhisperer' && state.requirements === null)
    return { type: 'requirements-set', n, text: text(3), ids: [] }
  if (role === 'pathseeker' && left.plans?.[0]) {
    const { steps, drop = [] } = left.plans.shift()!
    return { type: 'steps-set', n, steps, drop }
  }
  if ('ends' in saying) {
    log.push(`${role} ${id} ${saying.ends.cause}`)
    says?.shift()
    return roleEnd(effect, n, ended({ status: 'failed', iteration: session.iteration, ...saying.ends }))
  }
  const { signal, target = null, resume = false } = saying
  return { type: 'signalled', n, signal, text: text(n + 1000), target, resume }
}

function commitBy(role: QuestSession['role'], n: number): Partial<ChildOutcome> {
  return ['codeweaver', 'spiritmender', 'siegemaster'].includes(role) ? { commit: commitOf(n) } : {}
}
