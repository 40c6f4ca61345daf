import type { StepId, TextRef } from '../../contract/ids.ts'
import type { WardOutcome } from '../../contract/loop.ts'
import type { NewStep, QuestSpec, RoleSpec, StepPhase, StepState } from '../../contract/quest.ts'
import { FOLLOW_UP_ROLES, QUEST_ROLES, type SignalKind } from '../../contract/quest-tools.ts'
import type { QuestionKind } from '../../contract/question.ts'
import type { ChildNote } from '../effect.ts'
import type { Child, Message, ParentState } from '../parent/parent-state.ts'
import { BUILDERS } from './flow.ts'

/** A run of kind quest: requirements, steps with dependencies in slots, roles that signal, one merge at a time, review. */
export type QuestRun = ParentState<QuestSession> & {
  kind: 'quest'
  quest: QuestSpec
  phase: QuestPhase
  /** All requirements as one JSON text, and their ids. */
  requirements: { text: TextRef; ids: StepId[] } | null
  steps: Work[]
  /** requirements, plan, review. */
  errands: Work[]
  wards: WardRecord[]
  /** The last ward on the whole. */
  lastWard: WardOutcome | null
  /** Steps that wait for a new plan; the first is what the plan is about. */
  resplits: StepId[]
  /** The account is at a limit, or the model answers with errors: nothing starts before. */
  limit: { untilMs: number | null; waits: number; isError: boolean }
  /** Questions that were asked so far: each has its number. */
  asked: number
  answers: Answered[]
}

type QuestPhase = 'opening' | 'basing' | 'requirements' | 'planning' | 'approval' | 'working' | 'reviewing'

/** A step, or an errand: everything that sessions of roles work on, one after the other. */
export type Work = NewStep & {
  state: StepState
  phase: StepPhase
  /** Steps behind it, along the longest chain: what is long is begun first. */
  rank: number
  /** The session that works now or worked last, by number. */
  session: number | null
  /** What it waits for a slot with. */
  next: Next | null
  /** Roles that asked for a follow-up, the first caller first. */
  chain: Caller[]
  question: Question | null
  attempts: number
  /** Partially complete in a row. */
  parts: number
  /** Red wards in a row. */
  reds: number
  conflicts: number
  /** Rounds of findings, of the review. */
  rounds: number
  /** How often each pair of roles has handed it to each other. */
  bounces: Record<string, number>
  /** A fresh session was tried after one that was cut off again and again. */
  isFresh: boolean
  /** The plan was made anew because of it. */
  isResplit: boolean
  /** The checks sent it to be mended, and wait for that. */
  isMending: boolean
  /** What the last session of it said of its work. */
  outcome: TextRef | null
  /** The Siegemaster has nothing against it any more. */
  isSieged: boolean
  /** The newest commit of its branch. */
  commit: string | null
  /** The result has to be taken into its branch before anybody goes on. */
  bring: boolean
}

/** Who starts next. With a session it is resumed, else a fresh one begins. */
export type Next = { role: string; session: number | null; say: ChildNote }

/** `phase`, `isMending`: where it stood when it asked. */
type Caller = { role: string; session: number; resume: boolean; phase: StepPhase; isMending: boolean }

/** What waits for a person, and what an answer leads to. */
export type Question = {
  n: number
  kind: QuestionKind
  note: string
  text: TextRef | null
  askedAt: number
  leads: { do: 'start'; next: Next } | { do: 'ward' } | { do: 'merge' } | { do: 'prove' } | { do: 'approve' }
}
type Answered = {
  n: number
  step: StepId
  kind: QuestionKind
  text: TextRef | null
  note: string
  askedAt: number
  answeredAt: number
  answer: TextRef
}

/** A session of a role. Its `iteration` is the number of its process starts. */
export type QuestSession = Child & {
  n: number
  /** The client's own id, once it is known. */
  id: string | null
  role: string
  step: StepId
  startedAt: number
  endedAt: number | null
  /** The slot that it holds, from 1. Null: its process has ended, and only what it left is being put on its branch. */
  slot: number | null
  signal: Signal | null
  /** The last message that it has heard, by the number of its event. */
  heard: number
}

/** `text`: all that was said with it, as JSON. */
export type Signal = { signal: SignalKind; text: TextRef; target: string | null; resume: boolean }

export type WardRecord = {
  step: StepId | null
  on: 'base' | 'step' | 'merge' | 'whole'
  at: number
  outcome: WardOutcome
}

// State must not grow with a run's age; all of it stays in the journal.
const WARDS_KEPT = 200
const ANSWERS_KEPT = 200

export const OVER: ReadonlySet<StepState> = new Set(['complete', 'skipped', 'dropped'])

export function newWork(step: NewStep, phase: StepPhase): Work {
  return {
    ...step,
    state: 'pending',
    phase,
    rank: 0,
    session: null,
    next: null,
    chain: [],
    question: null,
    attempts: 0,
    parts: 0,
    reds: 0,
    conflicts: 0,
    rounds: 0,
    bounces: {},
    isFresh: false,
    isResplit: false,
    isMending: false,
    outcome: null,
    isSieged: false,
    commit: null,
    bring: false,
  }
}

export function workOf(state: QuestRun, id: StepId): Work | undefined {
  return state.errands.find(work => work.id === id) ?? state.steps.find(work => work.id === id)
}

export function withWork(state: QuestRun, id: StepId, change: Partial<Work>): QuestRun {
  const changed = (works: Work[]) => works.map(work => (work.id === id ? { ...work, ...change } : work))
  if (state.errands.some(work => work.id === id)) return { ...state, errands: changed(state.errands) }
  return { ...state, steps: changed(state.steps) }
}

/** Everything that somebody works on. */
export function allWork(state: QuestRun): Work[] {
  return [...state.errands, ...state.steps]
}

export function sessionNumbered(state: QuestRun, n: number): QuestSession | undefined {
  // Their numbers are their places.
  return state.children[n - 1]
}

export function withSession(state: QuestRun, n: number, change: Partial<QuestSession>): QuestRun {
  const children = [...state.children]
  children[n - 1] = { ...children[n - 1]!, ...change }
  return { ...state, children }
}

export function roleNamed(state: QuestRun, name: string): RoleSpec | undefined {
  return state.quest.roles.find(role => role.name === name)
}

/** It leaves code behind: after it the checks have something to say. Of roles that a project adds, those that may. */
export function builds(state: QuestRun, name: string): boolean {
  return BUILDERS.has(name) || (isAdded(name) && roleNamed(state, name)?.changes === 'everything')
}

/** By the project: only a follow-up reaches it. */
function isAdded(name: string): boolean {
  return !(QUEST_ROLES as readonly string[]).includes(name)
}

/** Whom a session may ask for a follow-up. */
export function followUpRoles({ quest }: QuestRun, role: string): string[] {
  const named = quest.roles.map(({ name }) => name).filter(name => name !== role)
  return [...FOLLOW_UP_ROLES.filter(name => named.includes(name)), ...named.filter(isAdded)]
}

/** The name of a session among the children of its quest. */
export function childName(n: number): string {
  return `s${n}`
}

/** Returns the session of which an event says something. */
export function sessionNamed(state: QuestRun, child: string): QuestSession {
  return sessionNumbered(state, Number(child.slice(1)))!
}

/** Turns of a session's role on its step in the sessions before it. */
export function turnsBefore({ children }: QuestRun, { n, role, step }: QuestSession): number {
  const earlier = children.filter(one => one.step === step && one.role === role && one.n < n)
  return earlier.reduce((sum, { iteration }) => sum + iteration, 0)
}

export function warded(state: QuestRun, record: WardRecord): QuestRun {
  return { ...state, wards: [...state.wards, record].slice(-WARDS_KEPT) }
}

export function withAnswer(state: QuestRun, answered: Answered): QuestRun {
  return { ...state, answers: [...state.answers, answered].slice(-ANSWERS_KEPT) }
}

/** Messages that came after one, by the number of its event. */
export function messagesAfter({ waiting }: QuestRun, heard: number): Message[] {
  return waiting.filter(({ of }) => of > heard)
}

/** The newest message, by the number of its event. */
export function newestMessage({ waiting }: QuestRun): number {
  return waiting.at(-1)?.of ?? 0
}
